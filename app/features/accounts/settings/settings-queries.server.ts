import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { recordNameChange } from '../public-name-change.server'
import type { SettingsFields } from './settings-form-schema'

type Settings = Omit<SettingsFields, 'removePhoto'>

/**
 * Writes what the settings form holds into the learner's own record; `displayName` follows the names.
 *
 * @param photo address of the new photo; null takes it away, undefined leaves it.
 * @returns the address of the photo that was there before.
 * @throws if nobody has this uid.
 */
export function recordSettings(
  db: Database,
  uid: string,
  { firstName, lastName, phone, location, timezone }: Settings,
  photo: string | null | undefined,
): Promise<{ previousPhoto: string | null }> {
  return db.transaction(async (transaction) => {
    const {
      rows: [row],
    } = await transaction.execute<{ previousPhoto: string | null; shownAnew: boolean }>(sql`
    with before as (select id, name, image from users where id = ${uid} for update)
    update users set first_name = ${firstName}, last_name = ${lastName}, name = ${`${firstName} ${lastName}`},
      phone = ${phone}, location = ${location}, timezone = case when ${timezone !== undefined} then ${timezone ?? null} else timezone end,
      image = case when ${photo !== undefined} then ${photo ?? null} else users.image end, updated_at = now()
    from before where users.id = before.id
    returning before.image as "previousPhoto",
      (before.name, before.image) is distinct from (users.name, users.image) as "shownAnew"`)
    if (!row) throw new Error('No learner has this uid.')
    if (row.shownAnew) await recordNameChange(transaction, uid)
    return { previousPhoto: row.previousPhoto }
  })
}
