/**
 * What stays when an account is deleted, by table, and why. All other rows of a learner go with the row of `users`: their
 * foreign keys in `server/database/schema/` say `on delete cascade`. A table that has to stay gets a line here instead of that key.
 */
export const keptAfterDeletion = {
  certificate_register: 'course and date of a certificate, without a name: its page says that it was withdrawn',
  operator_acts: 'what operators did to the account, known by its random ID only',
}
