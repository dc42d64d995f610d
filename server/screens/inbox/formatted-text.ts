export * from '#server/contract/formatted-text.ts';
export * from '#server/contract/written.ts';
