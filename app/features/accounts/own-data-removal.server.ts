import { eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { users, verifications } from '~/server/database/schema'
import { type FileStore, fileNameOf } from '~/server/files.server'
import { reportError } from '~/server/log.server'
import { pageCache } from '~/server/page-cache.server'

/**
 * Removes an account and everything of it, all or nothing: sessions, work, notes, reviews and their votes go with the
 * row of `users`. What stays of a certificate is its entry in the register, which names nobody and then shows as withdrawn.
 *
 * @returns false if there is no such account (any more).
 */
export async function removeAccount(
  { db, files }: { db: Database; files: Pick<FileStore, 'remove'> },
  uid: string,
): Promise<boolean> {
  const removed = await db.transaction(async (transaction) => {
    const [user] = await transaction.select({ image: users.image }).from(users).where(eq(users.id, uid)).for('update')
    if (!user) return null
    // What others gave to this learner's reviews; no reference can say so, because reviews of the content get votes, too.
    await transaction.execute(sql`
      delete from review_votes v using reviews r where r.uid = ${uid} and v.course_id = r.course_id and v.review_id = r.id`)
    await transaction.delete(verifications).where(eq(verifications.value, uid))
    await transaction.delete(users).where(eq(users.id, uid))
    return user
  })
  if (!removed) return false
  pageCache.clear()
  const photo = fileNameOf(removed.image)
  // The account is gone either way; nobody can find the address of a photo that stays behind.
  if (photo) await files.remove(photo).catch((error) => reportError(error))
  return true
}
