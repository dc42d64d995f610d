export {
  AGES,
  type Age,
  DUE_SOON_MINUTES,
  PRIORITIES,
  SLA_STATES,
  type SlaState,
} from '#server/inbox/lists/filter-values.ts';
