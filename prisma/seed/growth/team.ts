import type { DemoMailbox, DemoTeam } from '#prisma/seed/demo-data.ts';

export const billing: DemoTeam = { name: 'Billing', members: ['owner', 'admin'] };
export const support: DemoTeam = { name: 'Support', members: ['admin', 'agent'] };

export const supportMailbox: DemoMailbox = { name: 'Support', address: 'support@growth.demo.test' };
export const billingMailbox: DemoMailbox = { name: 'Billing', address: 'billing@growth.demo.test' };
