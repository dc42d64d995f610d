export type {
  Askable,
  ConsentForm,
  ConsentView,
  ConsentWorkspace,
  EarlierApproval,
  PostedForm,
} from '#server/automation/oauth/consent-view.ts';
