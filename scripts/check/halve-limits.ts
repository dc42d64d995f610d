import { LIMITS } from '#server/core/limits/limits.ts';
import { RENDERS_MAX, VISITOR_RENDERS } from '#server/http/pages/limit-renders.ts';
import { REQUEST_RATE } from '#server/http/request/body-limits.ts';
import { SESSION_SLOTS } from '#server/http/request/session-slots.ts';

// Halves the limits of this process. `E2E_HALVED_LIMITS=1` loads this file into the service of the browser tests, before the service: a
// flow that passes then is at most half of what a person at work may do.
// Sign-ins per address stay: the flows sign in hundreds of times from one address, a team a few times a day.
for (const [name, limit] of Object.entries(LIMITS)) if (name !== 'sign_in') halve(limit, 'points');
halve(SESSION_SLOTS, 'max', 'waitingMax');
halve(RENDERS_MAX, 'visitors', 'teammates');
halve(VISITOR_RENDERS, 'perSecond', 'burst');
halve(REQUEST_RATE, 'perSecond', 'burst');

function halve(limit: object, ...names: string[]): void {
  for (const name of names) Reflect.set(limit, name, Math.ceil(Number(Reflect.get(limit, name)) / 2));
}
