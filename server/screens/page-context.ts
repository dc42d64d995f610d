import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsentView } from '#server/automation/oauth/consent-view.ts';

/** What the HTTP server knows about a request before it hands the request to Next: names for every page, and the consent page's state. */
export type PageContext = { serviceName: string; platformName: string; consent?: ConsentView };

/** For a page rendered outside a request of the HTTP server, such as one made while building. */
const withoutServer: PageContext = { serviceName: 'Shared Inbox', platformName: 'Workflow Platform' };

/** Next's copy of this module and the server's share the storage, as both live in one process. */
const shared = globalThis as typeof globalThis & { pageContext?: AsyncLocalStorage<PageContext> };
shared.pageContext ??= new AsyncLocalStorage<PageContext>();

/** Runs Next's handling of a request with what the server already knows about it. */
export function withPageContext<T>(context: PageContext, run: () => T): T {
  return (shared.pageContext as AsyncLocalStorage<PageContext>).run(context, run);
}

/** The page's context. */
export function pageContext(): PageContext {
  return shared.pageContext?.getStore() ?? withoutServer;
}
