/** A workspace the teammate may choose on the consent page. */
export type ConsentWorkspace = { id: string; name: string; hasFreeSlot: boolean };

/** What every consent card knows about who is looking at it. */
export type ConsentSubject = {
  platformName: string;
  serviceName: string;
  workspace: { id: string; name: string };
  teammate: { name: string; email: string };
};

/** What the form posts back: the authorize request as it came, and the single-use binding. */
export type ConsentForm = {
  action: string;
  fields: { name: string; value: string }[];
  /** Workspaces in which the teammate is owner or admin, the open one first. */
  workspaces: ConsentWorkspace[];
};

/** The consent page, one case per row of the results in spec.md §4.1 that shows a page. */
export type ConsentView =
  | ({ kind: 'ask'; form: ConsentForm } & ConsentSubject)
  | ({ kind: 'not_allowed'; form: ConsentForm } & ConsentSubject)
  | ({ kind: 'no_slot'; form: ConsentForm; planName: string } & ConsentSubject)
  | { kind: 'unknown_client'; platformName: string; serviceName: string }
  | { kind: 'no_workspace'; platformName: string; serviceName: string }
  | { kind: 'stale_form'; platformName: string; serviceName: string; retryUrl: string }
  | { kind: 'switched'; platformName: string; serviceName: string; retryUrl: string }
  | { kind: 'refused_role'; platformName: string; serviceName: string; retryUrl: string }
  | { kind: 'refused_slot'; platformName: string; serviceName: string; retryUrl: string }
  | { kind: 'too_many'; platformName: string; serviceName: string; retryAfterSeconds: number };
