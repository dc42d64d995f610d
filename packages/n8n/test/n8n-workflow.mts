import { createRequire } from 'node:module';

/** The CommonJS build, which the built nodes load too. Node cannot load the ES module build. */
export const { NodeApiError, NodeHelpers } = createRequire(import.meta.url)(
  'n8n-workflow',
) as typeof import('n8n-workflow');
