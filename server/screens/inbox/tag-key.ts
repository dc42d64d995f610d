/** The inbox's suggestions compare tags as the server does. This file has no imports with dependencies, for the browser. */
export { tagKey } from '#server/contract/tag-key.ts';
