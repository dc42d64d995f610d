'use server';

import { cookies } from 'next/headers';
import { readTheme, THEME_COOKIE } from '#app/lib/themes.ts';

const YEAR_SECONDS = 365 * 24 * 3600;

/** Keeps the colour scheme that a teammate chose, on this device. */
export async function setTheme(theme: string): Promise<void> {
  (await cookies()).set(THEME_COOKIE, readTheme(theme), {
    path: '/',
    maxAge: YEAR_SECONDS,
    sameSite: 'lax',
    httpOnly: true,
  });
}
