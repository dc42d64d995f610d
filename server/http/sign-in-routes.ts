import { SIGN_IN_BODY_MAX_BYTES } from '#server/http/handle-sign-in.ts';
import type { Route } from '#server/http/route.ts';
import { handleSignOnCallback, handleSignOnStart } from '#server/http/single-sign-on/handle-sign-on.ts';
import { AUTH_PATH } from '#server/teammates/auth.ts';
import { SIGN_ON_CALLBACK_PATH, SIGN_ON_START_PATH } from '#server/teammates/sign-on-paths.ts';

/** Returns the routes of Better Auth and of single sign-on. */
export function signInRoutes(handleAuth: Route['handle']): Route[] {
  return [
    {
      name: 'sign-in',
      matches: (path) => path === AUTH_PATH || path.startsWith(`${AUTH_PATH}/`),
      bodyMaxBytes: SIGN_IN_BODY_MAX_BYTES,
      limits: ['request_rate', 'sign_in'],
      handle: handleAuth,
    },
    {
      name: 'start of single sign-on',
      matches: (path) => path.startsWith(SIGN_ON_START_PATH),
      methods: ['GET'],
      bodyMaxBytes: 0,
      limits: ['request_rate', 'sign_on'],
      handle: handleSignOnStart,
    },
    {
      name: 'callback of single sign-on',
      matches: (path) => path.startsWith(SIGN_ON_CALLBACK_PATH),
      methods: ['GET'],
      bodyMaxBytes: 0,
      limits: ['request_rate', 'sign_on_audit'],
      handle: handleSignOnCallback,
    },
  ];
}
