import { BUILD } from './build.ts';

/**
 * Returns the service's URL without a trailing slash: `SERVICE_URL` of the environment, or else that of the build.
 * @throws when neither is set
 */
export function serviceUrl(): string {
  const url = process.env.SERVICE_URL || BUILD.serviceUrl;
  if (!url)
    throw new Error('The app was built without SERVICE_URL. Set it, then build and push the app again.');
  return url.replace(/\/+$/, '');
}
