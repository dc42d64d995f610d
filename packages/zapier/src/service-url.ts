import { BUILD } from './build.ts';

/**
 * The service's address, without a slash at the end: the one that the app was built with, unless the environment has
 * another `SERVICE_URL`.
 * @throws when there is neither
 */
export function serviceUrl(): string {
  const url = process.env.SERVICE_URL || BUILD.serviceUrl;
  if (!url) throw new Error('The app was built without SERVICE_URL: build and push it again with that set.');
  return url.replace(/\/+$/, '');
}
