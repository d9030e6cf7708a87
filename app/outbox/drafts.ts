import { outbox } from './outbox'

/**
 * Drafts: input that the learner has not submitted yet. A draft is an entry of the outbox that is
 * never sent, so it survives a closed tab. Where the browser has no storage, a draft is lost when
 * its page closes.
 */

/** `body` never has a value. It only tells the compiler the type of the drafts of this kind. */
export type DraftKind<Body> = { name: string; body?: Body }

/** Returns the learner's draft, or null if there is none. */
export async function findDraft<Body>(
  kind: DraftKind<Body>,
  key: string,
  uid: string,
): Promise<Body | null> {
  const drafts = await outbox.list<Body>(kind)
  const draft = drafts.find((entry) => entry.key === key && entry.uid === uid)
  return draft?.body ?? null
}

export function storeDraft<Body>(
  kind: DraftKind<Body>,
  key: string,
  uid: string,
  body: Body,
): void {
  outbox.put(kind, { key, uid, body })
}

export function removeDraft(key: string): Promise<void> {
  return outbox.removeMatching((entry) => entry.key === key)
}
