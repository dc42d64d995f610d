/**
 * SQL: the commit of this transaction does not wait until it is on the disk. For what may be lost when the database
 * crashes: a notice, as its listeners look again once they are connected; or what is simply done once more.
 */
export const WITHOUT_FLUSH = "set_config('synchronous_commit', 'off', true)";
