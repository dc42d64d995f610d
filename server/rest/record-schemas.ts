import { z } from 'zod';

const timestamp = z.iso.datetime({ offset: true });
const uuid = z.uuid();

export const teammateSchema = z
  .object({ id: uuid, name: z.string(), email: z.string() })
  .meta({ id: 'Teammate', description: 'Somebody who answers contacts in the workspace.' });

export const contactSchema = z
  .object({
    id: uuid,
    name: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    email: z.string().nullable().meta({ description: 'In lowercase.' }),
    phone: z.string().nullable(),
    city: z.string().nullable(),
    language: z.string().nullable(),
    company: z.object({ id: uuid, name: z.string() }).nullable(),
    created_at: timestamp,
    url: z.url().meta({ description: 'The contact in the app.' }),
  })
  .meta({ id: 'Contact', description: 'Somebody who writes to the workspace.' });

export const conversationSchema = z
  .object({
    id: uuid,
    subject: z.string().nullable(),
    status: z.enum(['open', 'pending', 'solved', 'closed']),
    priority: z.enum(['low', 'normal', 'high', 'urgent']),
    channel: z.string(),
    tags: z.array(z.string()),
    assignee: teammateSchema.nullable(),
    team: z.object({ id: uuid, name: z.string() }).nullable(),
    contact: contactSchema.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    resolved_at: timestamp.nullable().meta({ description: 'When it was last solved.' }),
    url: z.url().meta({ description: 'The conversation in the inbox.' }),
  })
  .meta({ id: 'Conversation', description: 'One exchange with a contact on one channel.' });

export const hookSchema = z
  .object({
    id: uuid,
    event: z.string(),
    target_url: z.string(),
    command: z.string().nullable(),
    status: z.string().nullable(),
    tag: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Hook', description: 'A subscription to one event, with its filter.' });

export const connectionSchema = z
  .object({
    id: uuid,
    user_id: uuid,
    user_name: z.string(),
    email: z.string(),
    workspace_id: uuid,
    workspace_name: z.string(),
  })
  .meta({ id: 'Connection', description: 'Whom the access token acts as, and where.' });
