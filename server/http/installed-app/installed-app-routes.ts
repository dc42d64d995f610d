import type { IncomingMessage, ServerResponse } from 'node:http';
import { handleAppFile, isAppFile, SHARE_TARGET_PATH } from '#server/http/installed-app/handle-app-file.ts';
import {
  handleRenewedSubscription,
  RENEWED_SUBSCRIPTION_PATH,
} from '#server/http/installed-app/handle-renewed-subscription.ts';
import { BODY_MAX_BYTES } from '#server/http/request/read-body.ts';
import { READ } from '#server/http/response/send-json.ts';
import type { Route } from '#server/http/route.ts';

/** Routes of the installed app. */
export const installedAppRoutes: Route[] = [
  {
    name: 'files of the installed app',
    matches: isAppFile,
    methods: READ,
    bodyMaxBytes: 0,
    limits: ['costs_nothing'],
    handle: handleAppFile,
  },
  {
    name: 'share without the service worker',
    matches: (path) => path === SHARE_TARGET_PATH,
    methods: ['POST'],
    bodyMaxBytes: 0,
    limits: ['costs_nothing'],
    handle: handleLostShare,
  },
  {
    name: 'renewed push subscription',
    matches: (path) => path === RENEWED_SUBSCRIPTION_PATH,
    methods: ['POST'],
    bodyMaxBytes: BODY_MAX_BYTES,
    limits: ['session_slots'],
    handle: handleRenewedSubscription,
  },
];

/**
 * Answers a share that reached the server, because the browser does not have the service worker. Its content is not read: a page says what
 * to do.
 */
function handleLostShare(_req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(303, { Location: '/share?problem=not_ready', 'Cache-Control': 'no-store' }).end();
}
