import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsentView } from '#server/automation/oauth/consent-view.ts';
import type { screensFor } from '#server/screens/router.ts';

/**
 * Values that the HTTP server passes to Next with a request: names for every page, the procedures of the screens, and the
 * state of the consent page. Pages and server actions get the procedures from here instead of importing them, because Next
 * would bundle a second copy of the server.
 */
export type PageContext = {
  serviceName: string;
  platformName: string;
  /** Home page of the platform: the origin of its OAuth return address. */
  platformUrl: string;
  screensFor: typeof screensFor;
  consent?: ConsentView;
};

/** For pages rendered outside a request, for example during the build. */
const DEFAULT_CONTEXT: PageContext = {
  serviceName: 'Shared Inbox',
  platformName: 'Workflow Platform',
  platformUrl: '/',
  screensFor: () => {
    throw new Error('Only a request has a session.');
  },
};

/** Next bundles its own copy of this module. Both copies share the storage, as they run in one process. */
const shared = globalThis as typeof globalThis & { pageContext?: AsyncLocalStorage<PageContext> };
shared.pageContext ??= new AsyncLocalStorage<PageContext>();

/** Runs Next's request handler with the page context. */
export function withPageContext<T>(context: PageContext, run: () => T): T {
  return (shared.pageContext as AsyncLocalStorage<PageContext>).run(context, run);
}

export function pageContext(): PageContext {
  return shared.pageContext?.getStore() ?? DEFAULT_CONTEXT;
}
