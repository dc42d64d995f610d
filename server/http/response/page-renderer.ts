import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConsentView } from '#server/automation/oauth/consent-view.ts';

/**
 * Renders a page of the app into a response whose status and headers may be set already.
 * @param page replaces the requested page, with the values the server has found for it
 */
export type PageRenderer = (
  req: IncomingMessage,
  res: ServerResponse,
  page?: { path: string; consent: ConsentView },
) => Promise<void>;
