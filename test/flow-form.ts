/** The form of an automation as an owner fills it in, with what is trimmed and said twice. */
export const FLOW_FORM = {
  name: 'Refunds',
  channels: ['email'],
  words: ' refund, money back ,refund',
  emailDomain: 'Ada@Example.com',
  tags: 'Refund, VIP,refund',
  assigneeId: '',
  teamId: '',
  status: 'pending',
};
