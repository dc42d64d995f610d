export * from '#server/contract/plain-text.ts';
