import type { IncomingMessage, ServerResponse } from 'node:http';
import { EXPORT_PATH } from '#server/administration/export/request-export.ts';
import { AUTHORIZE_PATH } from '#server/automation/oauth/consent-page.ts';
import { percentDecoded } from '#server/core/text.ts';
import { apiRoutes } from '#server/http/api-routes.ts';
import { handleContactData, handleExport } from '#server/http/files/handle-archive.ts';
import { ATTACHMENTS_PATH, handleAttachment } from '#server/http/files/handle-attachment.ts';
import { AUDIT_CSV_PATH, handleAuditCsv } from '#server/http/files/handle-audit-csv.ts';
import { handleMail, MAILS_PATH } from '#server/http/files/handle-original-mail.ts';
import { handleReportCsv, REPORT_CSV_PATH } from '#server/http/files/handle-report-csv.ts';
import { handleUpload } from '#server/http/files/handle-upload.ts';
import { handleUploadedPicture } from '#server/http/files/handle-uploaded-picture.ts';
import { UPLOAD_LIMITS } from '#server/http/files/read-upload.ts';
import type { Downloads } from '#server/http/files/send-attachment.ts';
import { handleScreens, SCREENS_PATH } from '#server/http/handle-screens.ts';
import { liveness, readiness } from '#server/http/health.ts';
import { handlePostedMail, POSTED_MAIL_PATH } from '#server/http/inbound/handle-posted-mail.ts';
import { handleUnsubscribe } from '#server/http/inbound/handle-unsubscribe.ts';
import { handleWebhook, WEBHOOK_BODY_MAX_BYTES } from '#server/http/inbound/handle-webhook.ts';
import { installedAppRoutes } from '#server/http/installed-app/installed-app-routes.ts';
import { handleLive, LIVE_PATH } from '#server/http/live/handle-live.ts';
import type { LiveStreams } from '#server/http/live/live-streams.ts';
import { handleAuthorize } from '#server/http/oauth/handle-authorize.ts';
import {
  handleMetadata,
  METADATA_PATH,
  REVOKE_PATH,
  TOKEN_PATH,
} from '#server/http/oauth/handle-metadata.ts';
import { handleRevoke, handleToken } from '#server/http/oauth/handle-token.ts';
import { PAGE_BODY_MAX_BYTES } from '#server/http/pages/receive-page-body.ts';
import { BODY_MAX_BYTES, FORM_MAX_BYTES } from '#server/http/request/read-body.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { keepLinkPrivate } from '#server/http/response/security-headers.ts';
import { READ, sendJson } from '#server/http/response/send-json.ts';
import type { Route } from '#server/http/route.ts';
import { signInRoutes } from '#server/http/sign-in-routes.ts';
import { CHAT_API_PATH, handleChat } from '#server/http/web-chat/handle-chat.ts';
import { chatPageOf, handleTryPage } from '#server/http/web-chat/handle-try-page.ts';
import { handleWidget } from '#server/http/web-chat/handle-widget.ts';
import { CHAT_BODY_MAX_BYTES } from '#server/http/web-chat/parse-chat-message.ts';
import { WEBHOOKS_PATH } from '#server/inbox/channels/accounts/webhook-address.ts';
import { MAIL_MAX_BYTES } from '#server/inbox/mail-parser/mail-limits.ts';
import { UNSUBSCRIBE_PATH } from '#server/inbox/ratings/rating-link.ts';
import { CONTACT_DATA_PATH } from '#server/screens/contacts/views.ts';
import { UPLOADS_PATH } from '#server/screens/inbox/upload-path.ts';
import { WIDGET_PATH } from '#server/screens/web-chat/web-chat.ts';

export const NOTHING_HERE = { message: 'There is nothing at this address.' };

/** Services of one server that its handlers use. */
export type RouteServices = {
  renderPage: PageRenderer;
  live: LiveStreams;
  downloads: Downloads;
  /** Origin of `BASE_URL`. */
  origin: string;
  /** `API_HOST`. */
  apiHost?: string | undefined;
  handleAuth: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
};

const is = (exact: string) => (path: string) => path === exact;
const below = (prefix: string) => (path: string) => path.startsWith(prefix);

/** Returns the routes of a server. The screens handle every other path. */
export function listRoutes({
  renderPage,
  live,
  downloads,
  origin,
  apiHost,
  handleAuth,
}: RouteServices): Route[] {
  const notFound = (_req: IncomingMessage, res: ServerResponse) => sendJson(res, 404, NOTHING_HERE);
  async function handlePage(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const chat = chatPageOf(path);
    if (chat?.page === 'try' && (await handleTryPage(res, chat.workspaceId))) return;
    keepLinkPrivate(req, res, { path, origin });
    return renderPage(req, res);
  }

  return [
    ...apiRoutes(apiHost),
    {
      // Whatever its prefix (docs/rulings.md 2.1).
      name: 'wrongly encoded path',
      matches: (path) => percentDecoded(path) === undefined,
      bodyMaxBytes: 0,
      limits: ['costs_nothing'],
      handle: notFound,
    },
    {
      name: 'token',
      matches: is(TOKEN_PATH),
      methods: ['POST'],
      bodyMaxBytes: FORM_MAX_BYTES,
      limits: ['token'],
      handle: handleToken,
    },
    {
      name: 'revoke',
      matches: is(REVOKE_PATH),
      methods: ['POST'],
      bodyMaxBytes: FORM_MAX_BYTES,
      limits: ['token'],
      handle: handleRevoke,
    },
    {
      name: 'consent page',
      matches: is(AUTHORIZE_PATH),
      methods: [...READ, 'POST'],
      bodyMaxBytes: FORM_MAX_BYTES,
      limits: ['approval', 'page_slots'],
      handle: (req, res) => handleAuthorize(req, res, renderPage),
    },
    {
      name: 'OAuth metadata',
      matches: is(METADATA_PATH),
      methods: READ,
      bodyMaxBytes: 0,
      limits: ['costs_nothing'],
      handle: (_req, res) => handleMetadata(res),
    },
    ...signInRoutes(handleAuth),
    {
      name: 'live pages',
      matches: is(LIVE_PATH),
      methods: ['GET', 'POST'],
      bodyMaxBytes: BODY_MAX_BYTES,
      limits: ['streams', 'reports'],
      handle: (req, res) => handleLive(live, req, res),
    },
    {
      name: 'web chat',
      matches: below(CHAT_API_PATH),
      bodyMaxBytes: CHAT_BODY_MAX_BYTES,
      limits: [
        'request_rate',
        'chat_address',
        'chat_message',
        'chat_read_address',
        'chat_read',
        'chat_visitor',
      ],
      handle: (req, res, path) => handleChat({ live, downloads }, req, res, path),
    },
    {
      name: 'procedures of open pages',
      matches: below(SCREENS_PATH),
      methods: ['GET', 'POST'],
      bodyMaxBytes: PAGE_BODY_MAX_BYTES,
      limits: ['session_slots'],
      handle: handleScreens,
    },
    {
      name: 'posted mail',
      matches: below(POSTED_MAIL_PATH),
      methods: ['POST'],
      bodyMaxBytes: MAIL_MAX_BYTES,
      limits: ['webhook_address', 'webhook_refused', 'inbound_mail_kib_sender'],
      handle: handlePostedMail,
    },
    {
      name: 'webhooks',
      matches: below(WEBHOOKS_PATH),
      methods: ['GET', 'POST'],
      bodyMaxBytes: WEBHOOK_BODY_MAX_BYTES,
      limits: ['webhook_address', 'webhook_refused'],
      handle: handleWebhook,
    },
    {
      name: 'original mail',
      matches: below(MAILS_PATH),
      methods: READ,
      bodyMaxBytes: 0,
      limits: ['attachment', 'downloads'],
      handle: (req, res, path) => handleMail(downloads, req, res, path),
    },
    {
      name: 'audit log',
      matches: is(AUDIT_CSV_PATH),
      methods: READ,
      bodyMaxBytes: 0,
      limits: ['attachment'],
      handle: handleAuditCsv,
    },
    {
      name: 'report',
      matches: is(REPORT_CSV_PATH),
      methods: READ,
      bodyMaxBytes: 0,
      limits: ['attachment'],
      handle: handleReportCsv,
    },
    {
      name: 'data of a contact',
      matches: below(CONTACT_DATA_PATH),
      methods: ['GET'],
      bodyMaxBytes: 0,
      limits: ['attachment', 'downloads'],
      handle: (req, res, path) => handleContactData(downloads, req, res, path),
    },
    {
      name: 'export of a workspace',
      matches: below(EXPORT_PATH),
      methods: ['GET'],
      bodyMaxBytes: 0,
      limits: ['attachment', 'downloads'],
      handle: (req, res, path) => handleExport(downloads, req, res, path),
    },
    {
      name: 'upload',
      matches: is(ATTACHMENTS_PATH),
      methods: ['POST'],
      bodyMaxBytes: UPLOAD_LIMITS.bodyBytes,
      limits: ['upload'],
      handle: handleUpload,
    },
    {
      name: 'files',
      matches: below(ATTACHMENTS_PATH),
      methods: READ,
      bodyMaxBytes: 0,
      limits: ['attachment', 'downloads'],
      handle: (req, res, path) => handleAttachment(downloads, req, res, path),
    },
    {
      name: 'pictures that are not sent yet',
      matches: below(UPLOADS_PATH),
      methods: READ,
      bodyMaxBytes: 0,
      limits: ['attachment', 'downloads'],
      handle: (req, res, path) => handleUploadedPicture(downloads, req, res, path),
    },
    {
      name: 'unsubscribe page',
      matches: below(UNSUBSCRIBE_PATH),
      methods: [...READ, 'POST'],
      bodyMaxBytes: 0,
      limits: ['unsubscribe'],
      handle: handleUnsubscribe,
    },
    {
      name: 'unknown path of an API',
      matches: below('/api/'),
      bodyMaxBytes: 0,
      limits: ['costs_nothing'],
      handle: notFound,
    },
    {
      name: 'liveness',
      matches: is('/healthz'),
      methods: READ,
      bodyMaxBytes: 0,
      limits: ['costs_nothing'],
      handle: (_req, res) => liveness(res),
    },
    {
      // One statement at a time, whose result is kept for a moment.
      name: 'readiness',
      matches: is('/readyz'),
      methods: READ,
      bodyMaxBytes: 0,
      limits: ['costs_nothing'],
      handle: (_req, res) => readiness(res),
    },
    {
      name: 'script of the web chat',
      matches: is(WIDGET_PATH),
      methods: READ,
      bodyMaxBytes: 0,
      limits: ['costs_nothing'],
      handle: handleWidget,
    },
    ...installedAppRoutes,
    {
      // The screens use no images that Next would resize.
      name: 'resized images',
      matches: is('/_next/image'),
      bodyMaxBytes: 0,
      limits: ['costs_nothing'],
      handle: notFound,
    },
    {
      name: 'pages',
      matches: () => true,
      bodyMaxBytes: PAGE_BODY_MAX_BYTES,
      limits: ['page_slots', 'session_slots'],
      handle: handlePage,
    },
  ];
}
