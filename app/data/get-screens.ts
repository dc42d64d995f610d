import { headers } from 'next/headers';
import { cache } from 'react';
import { screensFor } from '#server/screens/router.ts';

/** The procedures of our own screens, bound to the session of this request; one caller a request. */
export const getScreens = cache(async () => screensFor(await headers()));
