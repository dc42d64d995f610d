import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LimitName } from '#server/core/limits/limits.ts';

/** Limits of one process (docs/operations.md, Limits), besides those that all processes count. */
type ProcessLimit =
  /** Requests of an address; the others wait. Applied before the handler. */
  | 'request_rate'
  /** Parallel requests of a session. */
  | 'session_slots'
  /** Renders and posted bodies. */
  | 'page_slots'
  /** Event streams of a visitor or session. */
  | 'streams'
  /** Reports of a session about its open conversation. */
  | 'reports'
  /** Parallel downloads of a visitor or session. */
  | 'downloads'
  /** The response is held in memory and costs no more than reading the request. */
  | 'costs_nothing';

/** A route of the public server. The first that matches a path handles it. */
export type Route = {
  name: string;
  matches: (path: string, req: IncomingMessage) => boolean;
  /** Others are refused with a `405`. Undefined where they depend on the path: the handler checks them. */
  methods?: readonly string[];
  /** Larger bodies are refused before they are read. 0 for routes that read none. */
  bodyMaxBytes: number;
  /** At least one: what keeps one client from starving the others. */
  limits: readonly [LimitName | ProcessLimit, ...(LimitName | ProcessLimit)[]];
  handle: (req: IncomingMessage, res: ServerResponse, path: string) => unknown;
};
