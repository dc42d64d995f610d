/** A workspace the teammate may choose on the consent page. */
export type ConsentWorkspace = { id: string; name: string; hasFreeSlot: boolean };

/** What every card calls the platform and the service. */
export type ConsentNames = { platformName: string; serviceName: string };

/** Someone whom the reader may ask. */
export type Askable = { name: string; email: string };

/** What every consent card knows about who is looking at it. */
export type ConsentSubject = ConsentNames & {
  workspace: { id: string; name: string };
  teammate: { name: string; email: string };
};

/** A form of the page: where it is posted to, and what it posts back besides the decision. */
export type PostedForm = { action: string; fields: { name: string; value: string }[] };

/** The form of the question: the authorize request as it came, and the single-use binding. */
export type ConsentForm = PostedForm & {
  /** Workspaces in which the teammate is owner or admin, the open one first. */
  workspaces: ConsentWorkspace[];
};

/** The ways on from a decision that was refused: to look again, or to go back to the platform. */
export type WaysOn = { retryUrl: string; cancel: PostedForm };

/** That the teammate approved this very request before, for which workspace, and whether the platform took it up. */
export type EarlierApproval = { workspaceName: string; isWaiting: boolean };

/** A plan whose slots are all in use. `isOwner`: the teammate may upgrade it; otherwise `owners` may. */
type NoSlot = { planName: string; isOwner: boolean; owners: Askable[] };

/** The consent page, one case per row of the results in spec.md §4.1 that shows a page. */
export type ConsentView =
  | ({ kind: 'ask'; form: ConsentForm; earlier: EarlierApproval | null } & ConsentSubject)
  | ({ kind: 'not_allowed'; role: string; form: ConsentForm; owners: Askable[] } & ConsentSubject)
  | ({ kind: 'no_slot'; form: ConsentForm } & NoSlot & ConsentSubject)
  | ({ kind: 'unknown_client' } & ConsentNames)
  | ({ kind: 'no_workspace' } & ConsentNames)
  | ({ kind: 'stale_form' } & ConsentNames & WaysOn)
  | ({ kind: 'switched' } & ConsentNames & WaysOn)
  /** `workspaceName` null: a workspace that the teammate is no member of, so nothing of it is shown. */
  | ({ kind: 'refused_role'; workspaceName: string | null; owners: Askable[] } & ConsentNames & WaysOn)
  | ({ kind: 'refused_slot'; workspace: { id: string; name: string } } & NoSlot & ConsentNames & WaysOn)
  | ({ kind: 'too_many'; retryAfterSeconds: number } & ConsentNames & WaysOn)
  /** `retryUrl` null: the request was not understood, so it cannot be repeated here. */
  | ({ kind: 'fault'; retryUrl: string | null } & ConsentNames);
