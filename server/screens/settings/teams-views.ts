import type { ShownCount } from '#server/core/shown-count.ts';

/** A team as the settings show it: its members by name, and how many conversations are in it. */
export type TeamView = {
  id: string;
  name: string;
  members: { id: string; name: string }[];
  conversations: ShownCount;
};

/** The teams of a workspace by name. */
export type TeamsView = {
  /** The viewer may change them. */
  mayManage: boolean;
  teams: TeamView[];
  teamsMax: number;
  /** Who can be a member of a team, by name. */
  teammates: { id: string; name: string }[];
};
