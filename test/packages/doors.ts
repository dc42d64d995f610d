import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { consentClient, formOf } from '#test/consent-client.ts';
import { addMember, makeUser, makeWorkspace } from '#test/factories.ts';
import type { Stage } from '#test/fixtures.ts';
import { makeOccurrence } from '#test/occurrences.ts';
import type { Received } from '#test/receiver.ts';
import { signInAs } from '#test/sign-in.ts';

type Parts = { serviceUrl: string; received: readonly Received[] };
type DoorResponse = { status: number; body: unknown };

const inWorkspace = z.object({ workspaceId: z.string() });
const newWorkspace = z.object({ plan: z.enum(['starter', 'growth']).default('growth') });
const approval = inWorkspace.extend({ url: z.url() });
const occurrence = inWorkspace.extend({ event: z.enum(EVENT_KEYS), command: z.string().optional() });

/**
 * What the tests of the packages cannot do through the API, as JSON over HTTP: `POST /workspaces` makes a workspace
 * with an owner, `POST /approve` has the owner approve an authorize address in a browser and answers where that is sent
 * then, `POST /happen` lets an event happen, `GET /received?path=` tells what was delivered to a hook's address.
 */
export function makeDoors(parts: Parts): Server {
  const doors = doorsOf(parts);
  return createServer(async (req, res) => {
    const url = new URL(req.url ?? '', 'http://doors');
    const door = doors[`${req.method} ${url.pathname}`];
    const response = await (door?.(url, req) ?? { status: 404, body: { message: 'There is no such door.' } });
    res.writeHead(response.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(response.body));
  });
}

function doorsOf({ serviceUrl, received }: Parts): Record<string, Door> {
  const stages = new Map<string, Stage & { cookie: string }>();
  const stageOf = (workspaceId: string) => {
    const stage = stages.get(workspaceId);
    if (!stage) throw new Error(`No door made the workspace ${workspaceId}.`);
    return stage;
  };
  return {
    'POST /workspaces': door(newWorkspace, async ({ plan }) => {
      const { id: workspaceId, name } = await makeWorkspace({ plan });
      const teammate = await makeUser();
      await addMember(workspaceId, teammate.id, 'owner');
      stages.set(workspaceId, { workspaceId, teammate, cookie: await signInAs(serviceUrl, teammate) });
      return { id: workspaceId, name, owner: teammate };
    }),
    'POST /approve': door(approval, async ({ workspaceId, url }) => {
      const browser = consentClient(serviceUrl, stageOf(workspaceId).cookie);
      const page = await browser.open(new URL(url).search.slice(1));
      const response = page.location ? page : await browser.post(formOf(page));
      return { status: response.status, location: response.location?.href ?? null };
    }),
    'POST /happen': door(occurrence, async ({ workspaceId, event, command }) => {
      const details = { at: new Date(), ...(command === undefined ? {} : { command }) };
      return { id: await makeOccurrence(event, stageOf(workspaceId), details) };
    }),
    'GET /received': async (url) => {
      const path = url.searchParams.get('path');
      const requests = received.filter((request) => request.path === path);
      return { status: 200, body: requests };
    },
  };
}

type Door = (url: URL, req: IncomingMessage) => Promise<DoorResponse>;

/** A door that takes a body; what goes wrong behind it is its response. */
function door<Body>(schema: z.ZodType<Body>, work: (body: Body) => Promise<unknown>): Door {
  return async (_url, req) => {
    try {
      return { status: 200, body: await work(schema.parse(JSON.parse(await text(req)))) };
    } catch (error) {
      return { status: 500, body: { message: String(error) } };
    }
  };
}
