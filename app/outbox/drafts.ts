import { outbox } from './outbox'

/**
 * Something that is being written and is not sent by itself; it survives a closed tab in the
 * outbox.
 */
export type DraftKind<Body> = { name: string; body?: Body }

/** @returns null without a draft of this learner. */
export async function findDraft<Body>(
  kind: DraftKind<Body>,
  key: string,
  uid: string,
): Promise<Body | null> {
  const entries = await outbox.list<Body>(kind)
  return entries.find((entry) => entry.key === key && entry.uid === uid)?.body ?? null
}

/** Where there is no storage, a draft is lost when its page closes. */
export function storeDraft<Body>(
  kind: DraftKind<Body>,
  key: string,
  uid: string,
  body: Body,
): void {
  outbox.put(kind, { key, uid, body })
}

export function removeDraft(key: string): Promise<void> {
  return outbox.removeAll((entry) => entry.key === key)
}
