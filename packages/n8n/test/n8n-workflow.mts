import { createRequire } from 'node:module';

/** As the built nodes load it: Node cannot load its other build. */
export const { NodeApiError, NodeHelpers } = createRequire(import.meta.url)(
  'n8n-workflow',
) as typeof import('n8n-workflow');
