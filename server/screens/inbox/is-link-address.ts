export * from '#server/contract/is-link-address.ts';
