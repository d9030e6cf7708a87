import { useEffect, useSyncExternalStore } from 'react'

/** What the route `/Wishes` answers to a script. */
export type WishAnswer = { courseIds: string[] }

export const wishesAddress = '/Wishes'

type Wishes = { uid: string; courseIds: readonly string[] }

/** The signed-in learner's wish list, once it was asked for; every heart of a page reads the same. */
let known: Wishes | null = null
let asking: string | null = null
const listeners = new Set<() => void>()

function tell(wishes: Wishes | null): void {
  known = wishes
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @returns the ids of the learner's wished courses; null for a visitor and until they are known. */
export function useWishes(uid: string | null | undefined): readonly string[] | null {
  const wishes = useSyncExternalStore(
    subscribe,
    () => known,
    () => null,
  )
  useEffect(() => {
    if (!uid || known?.uid === uid || asking === uid) return
    asking = uid
    ask({}).then((courseIds) => {
      asking = null
      if (courseIds) tell({ uid, courseIds })
    })
  }, [uid])
  return wishes && wishes.uid === uid ? wishes.courseIds : null
}

/** Shows the wish at once, and takes it back when the account could not be told. */
export async function changeWish(uid: string, courseId: string, wished: boolean): Promise<void> {
  const before = known?.uid === uid ? known.courseIds : []
  const others = before.filter((id) => id !== courseId)
  tell({ uid, courseIds: wished ? [...others, courseId] : others })
  const courseIds = await ask({
    method: 'POST',
    body: new URLSearchParams({ courseId, wished: wished ? 'yes' : 'no' }),
  })
  tell({ uid, courseIds: courseIds ?? before })
}

async function ask(init: RequestInit): Promise<string[] | null> {
  try {
    const response = await fetch(wishesAddress, {
      ...init,
      redirect: 'error',
      headers: { Accept: 'application/json' },
    })
    if (!response.ok) return null
    const { courseIds }: WishAnswer = await response.json()
    return courseIds
  } catch {
    return null
  }
}
