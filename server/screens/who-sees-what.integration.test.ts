import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { refusalIn } from '#server/core/errors.ts';
import { screensRouter } from '#server/screens/router.ts';
import { ONLY_MANAGERS, ONLY_OWNERS } from '#server/teammates/require-role.ts';
import {
  limitMailbox,
  limitToAssigned,
  makeHiddenConversations,
  readWritten,
  SECRET,
} from '#test/fixtures/limited-view.ts';
import { type Named, type Road, SCREEN_ROADS } from '#test/fixtures/screen-roads.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

// Who sees what (docs/decisions/0030-who-sees-a-conversation.md): every procedure of the screens, times a teammate who sees a
// conversation and one who does not. `SCREEN_ROADS` says how each procedure reaches a conversation.

type Procedure = {
  _def: { type: 'query' | 'mutation'; meta?: { names?: object }; inputs: z.core.$ZodType[] };
};

const procedures = Object.entries(proceduresOf(screensRouter));
const roadsTo = <Kind extends Road>(isOf: (road: Road) => road is Kind) =>
  Object.entries(SCREEN_ROADS).flatMap(([path, road]) => (isOf(road) ? [[path, road] as const] : []));
const isQuery = (path: string) => proceduresOf(screensRouter)[path]?._def.type === 'query';
const isApart = (road: Road): road is { because: string; input?: unknown } =>
  typeof road === 'object' && 'because' in road && 'input' in road;
const isInput = (road: Road): road is Extract<Road, { input: (named: Named) => unknown }> =>
  typeof road === 'object' && 'input' in road && typeof road.input === 'function';

const LIMITS = ['a mailbox that is limited to a team', 'conversations that are assigned to others'] as const;

async function makeStage(hides?: (typeof LIMITS)[number]) {
  const teammates = await makeTeammates();
  const { workspaceId, agent } = teammates;
  const named = await makeHiddenConversations(teammates);
  if (hides === LIMITS[0]) await limitMailbox(workspaceId, named.mailbox);
  if (hides === LIMITS[1]) await limitToAssigned(agent, named.open);
  const load = await signInTeammate(agent);
  /** Calls a procedure as the agent. */
  const call = async (path: string, input: unknown): Promise<unknown> => {
    const screens = await load();
    const [router = '', procedure = ''] = path.split('.');
    const run = Reflect.get(Reflect.get(screens, router), procedure) as (input: unknown) => Promise<unknown>;
    return run(input).catch((error: unknown) => {
      const refusal = refusalIn(error);
      if (!refusal) throw error;
      return { refused: refusal.message, errors: refusal.errors };
    });
  };
  return { workspaceId, named, call };
}

/** Stages by what hides the conversation. Calls of `hidden` change nothing, so they serve all tests. `seen` is a new one for each test. */
const test = screensTest
  .extend('hidden', { scope: 'file' }, async ({ service: _ }) => ({
    [LIMITS[0]]: await makeStage(LIMITS[0]),
    [LIMITS[1]]: await makeStage(LIMITS[1]),
  }))
  .extend('seen', () => makeStage());

describe('the list of roads', () => {
  test('has every procedure of the screens, and no other', () => {
    expect(Object.keys(SCREEN_ROADS).toSorted()).toEqual(procedures.map(([path]) => path).toSorted());
  });

  test('calls every query, so that its answer is read', () => {
    const uncalled = roadsTo(
      (road): road is { because: string } => typeof road === 'object' && !('input' in road),
    );
    expect(
      uncalled
        .map(([path]) => path)
        .filter(isQuery)
        .toSorted(),
    ).toEqual(UNCALLED);
  });

  test('names every id of a conversation and of what belongs to one', () => {
    const unnamed = procedures.flatMap(([path, { _def }]) => {
      if (SCREEN_ROADS[path] === 'admins') return [];
      const isNamed = new Set(Object.keys(_def.meta?.names ?? {}));
      return _def.inputs
        .flatMap((input) => idsIn(input))
        .flatMap((id) => (isNamed.has(id) || OF_OTHERS.test(id) ? [] : [`${path} ${id}`]));
    });
    // A new id has to be named by its procedure, or listed here.
    expect(unnamed.toSorted()).toEqual(UNNAMED.toSorted());
  });
});

describe.each(LIMITS)('for a teammate who does not see %s', (limit) => {
  test.for(roadsTo(isInput))(
    '%s answers as if it did not exist, and changes nothing',
    async ([path, { input }], { hidden }) => {
      const { workspaceId, named, call } = hidden[limit];
      const before = await readWritten(workspaceId);
      const answer = await call(path, input(named));
      expect(await readWritten(workspaceId)).toBe(before);
      expect(JSON.stringify(answer) ?? '').not.toContain(SECRET);
      // What belongs to a conversation that the teammate sees says nothing of the others of its contact.
      if (isQuery(path)) {
        const seen = await call(path, input({ ...named, conversation: named.open }));
        expect(JSON.stringify(seen) ?? '').not.toContain(SECRET);
      }
      const unknown = unknownOf(named);
      expect(comparable(answer, named)).toEqual(comparable(await call(path, input(unknown)), unknown));
    },
  );

  test.for(roadsTo(isApart))('%s says nothing of it', async ([path, { input }], { hidden }) => {
    expect(JSON.stringify(await hidden[limit].call(path, input)) ?? '').not.toContain(SECRET);
  });

  test('what owners and admins do, who see all, is refused', async ({ hidden }) => {
    for (const [path] of roadsTo((road): road is 'admins' => road === 'admins')) {
      const { refused } = z.object({ refused: z.string() }).parse(await hidden[limit].call(path, {}));
      expect([ONLY_MANAGERS, ONLY_OWNERS], path).toContain(refused);
    }
  });
});

describe('for a teammate who sees it', () => {
  test.for(roadsTo(isInput).filter(([, { same }]) => same === undefined))(
    '%s reaches it',
    async ([path, { input }], { hidden, seen: { workspaceId, named, call } }) => {
      const before = await readWritten(workspaceId);
      const answer = comparable(await call(path, input(named)), named);
      const isWritten = (await readWritten(workspaceId)) !== before;
      const { call: callUnseen, named: others } = hidden[LIMITS[0]];
      const unseen = comparable(await callUnseen(path, input(others)), others);
      expect({ isWritten, answer }).not.toEqual({ isWritten: false, answer: unseen });
    },
  );
});

/** Queries that a mailed link or the address of a page opens, and numbers about the teammate who leaves. */
const UNCALLED = [
  'account.addressLink',
  'account.isResetLink',
  'claims.getVerification',
  'invitations.get',
  'ratings.get',
  'teammates.removal',
  'webchat.get',
];

/** Ids whose names say that they are of no conversation and of nothing that belongs to one. */
const OF_OTHERS =
  /(?:^|\.)(?:workspaceId|userId|ownerId|mailboxId|assignee|assigneeId|companyId|teamId|teamIds\.\*|savedReplyIds\.\*)$/;

/** The other ids that name no conversation and nothing that belongs to one, each as its procedure and its path in the input. */
const UNNAMED = [
  // The statement itself has the condition: a conversation or contact in any workspace of the teammate.
  'session.workspaceOf id',
  // A test workspace’s outbox, which a limited view does not show.
  'testWorkspace.outbox messageId',
  // The id of what the call creates.
  ...['conversations.create', 'composer.reply', 'composer.sendTemplate', 'composer.forward', 'notes.add'].map(
    (path) => `${path} id`,
  ),
  'commands.run id',
  // Uploaded files, whose signature the teammate got when they uploaded them.
  ...[
    'conversations.create',
    'composer.reply',
    'composer.saveDraft',
    'savedReplies.add',
    'savedReplies.update',
    'notes.add',
  ].map((path) => `${path} files.*.id`),
  // Compared with the ids of what is new in the conversation that `conversationId` or `id` names.
  'composer.reply seen.*',
  'composer.rescheduleReply seen.*',
  // Only `removed.markSpam` returns these ids.
  'removed.unblock blocked.*',
  // Contacts and companies, which everyone sees.
  ...['company', 'get', 'conversations', 'mergePreview', 'merge', 'form', 'update'].map(
    (name) => `contacts.${name} id`,
  ),
  'fields.ofContact id',
  'fields.setOnContact id',
  'contacts.mergePreview intoId',
  'contacts.merge intoId',
  'contacts.create company.id',
  'contacts.update changes.company.id',
  ...['get', 'rename', 'delete', 'addDomain', 'removeDomain', 'linkContacts'].map(
    (name) => `companies.${name} id`,
  ),
  // What belongs to the teammate or to the workspace.
  'account.endSession id',
  'account.removePasskey id',
  'account.addPasskey response.id',
  'account.addPasskey response.rawId',
  ...['passPasskeyStep', 'signInWithPasskey'].flatMap((name) => [
    `session.${name} id`,
    `session.${name} rawId`,
  ]),
  'fields.setOnContact fieldId',
  'fields.setOnConversation fieldId',
  'savedViews.rename id',
  'savedViews.delete id',
  'savedReplies.update id',
  'savedReplies.delete id',
  'savedReplies.keepFiles id',
  'notifications.markRead id',
  'notifications.removeDevice id',
];

/** Replaces the ids of hidden conversations by others. Everyone may know those of contacts, companies and mailboxes. */
function unknownOf(named: Named): Named {
  const { open, contact, otherContact, company, mailbox, field, ...others } = named;
  const unknown = Object.fromEntries(Object.keys(others).map((key) => [key, randomUUID()]));
  return { ...named, ...unknown };
}

/** Replaces ids by their names, and other ids and timestamps by a word, so that answers can be compared. */
function comparable(answer: unknown, named: Named): unknown {
  const text = Object.entries(named).reduce(
    (json, [name, id]) => json.replaceAll(id, name),
    JSON.stringify({ answer }),
  );
  const same = text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'some');
  return JSON.parse(same);
}

/** Returns the paths of the ids in an input. */
function idsIn(schema: z.core.$ZodType, path = ''): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([name, inner]) =>
      idsIn(inner, path ? `${path}.${name}` : name),
    );
  if (def.type === 'array') return idsIn(def.element, `${path}.*`);
  if (def.type === 'union') return [...new Set(def.options.flatMap((option) => idsIn(option, path)))];
  if (def.type === 'pipe') return idsIn(def.in, path);
  if ('innerType' in def && def.innerType) return idsIn(def.innerType as z.core.$ZodType, path);
  if (def.type !== 'string') return [];
  const isId = 'format' in def && ['uuid', 'guid'].includes(String(def.format));
  return isId || /(?:^|\.)(?:id|\w+Id|\w*[iI]ds\.\*)$/.test(path) ? [path] : [];
}

function proceduresOf({ _def }: { _def: object }): Record<string, Procedure> {
  return Reflect.get(_def, 'procedures');
}
