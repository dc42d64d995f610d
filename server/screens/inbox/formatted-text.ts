export * from '#server/contract/formatted-text.ts';
