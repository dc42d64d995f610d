import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConsentView } from '#server/automation/oauth/consent-view.ts';

/**
 * Renders a page of the app into a response whose status and headers may be set already.
 * @param page another page than the request's own, with what the server found out for it
 */
export type PageRenderer = (
  req: IncomingMessage,
  res: ServerResponse,
  page?: { path: string; consent: ConsentView },
) => Promise<void>;
