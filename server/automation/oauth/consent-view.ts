export type ConsentWorkspace = { id: string; name: string; hasFreeSlot: boolean };

export type ConsentNames = { platformName: string; serviceName: string };

export type Askable = { name: string; email: string };

export type ConsentSubject = ConsentNames & {
  workspace: { id: string; name: string };
  teammate: { name: string; email: string };
};

/** A form of the page: its action and its hidden fields, without the decision. */
export type PostedForm = { action: string; fields: { name: string; value: string }[] };

/** The consent form: the authorize request as received, and the single-use secret. */
export type ConsentForm = PostedForm & {
  /** Workspaces in which the teammate is owner or admin, the open one first. */
  workspaces: ConsentWorkspace[];
};

/** Links of a refused decision: retry, or return to the platform. */
export type ExitLinks = { retryUrl: string; cancel: PostedForm };

/** An earlier approval of the same request. `isWaiting`: its code was not exchanged yet. */
export type EarlierApproval = { workspaceName: string; isWaiting: boolean };

/** A plan without a free slot. `isOwner`: the teammate may upgrade; otherwise `owners` may. */
type NoSlot = { planName: string; isOwner: boolean; owners: Askable[] };

/** The consent page: one case for each result of docs/spec.md §4.1 that shows a page. */
export type ConsentView =
  | ({ kind: 'ask'; form: ConsentForm; earlier: EarlierApproval | null } & ConsentSubject)
  | ({ kind: 'not_allowed'; role: string; form: ConsentForm; owners: Askable[] } & ConsentSubject)
  | ({ kind: 'no_slot'; form: ConsentForm } & NoSlot & ConsentSubject)
  | ({ kind: 'unknown_client' } & ConsentNames)
  // `closed`: names of workspaces that need a second factor or another way of signing in.
  | ({ kind: 'no_workspace'; closed: string[] } & ConsentNames)
  | ({ kind: 'stale_form' } & ConsentNames & ExitLinks)
  | ({ kind: 'switched' } & ConsentNames & ExitLinks)
  // `workspaceName` is null if the teammate is not a member: nothing about the workspace is shown.
  | ({ kind: 'refused_role'; workspaceName: string | null; owners: Askable[] } & ConsentNames & ExitLinks)
  | ({ kind: 'refused_slot'; workspace: { id: string; name: string } } & NoSlot & ConsentNames & ExitLinks)
  | ({ kind: 'too_many'; retryAfterSeconds: number } & ConsentNames & ExitLinks)
  // `retryUrl` is null if the request was invalid and cannot be repeated.
  | ({ kind: 'fault'; retryUrl: string | null } & ConsentNames);
