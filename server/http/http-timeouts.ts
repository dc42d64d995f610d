/** How long a client may take, in milliseconds (options of Node's HTTP server). */
export const HTTP_TIMEOUTS = {
  /** Until a request's headers are complete: a client that sends them drop by drop holds a connection no longer. */
  headersTimeout: 15_000,
  /** Until a request is complete with its body. Long enough for 1 MB over a slow line. */
  requestTimeout: 120_000,
  /**
   * Between two requests. Longer than the 60 s after which the usual balancers close an idle connection: if the
   * server closed it first, a request sent at that moment would be lost.
   */
  keepAliveTimeout: 75_000,
  /** How often the first two are looked at; a client may be refused that much late. */
  connectionsCheckingInterval: 5_000,
} as const;

export type HttpTimeouts = Record<keyof typeof HTTP_TIMEOUTS, number>;

/**
 * How many connections a process holds at once; more are closed as they come. Each open page holds one or two, so this is
 * far more than the pages that a process can serve.
 */
export const MAX_CONNECTIONS = 5_000;
