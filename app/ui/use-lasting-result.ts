import { useState } from 'react'
import { useLocation } from 'react-router'
import type { ActionResult } from './action-result'

/**
 * What an action did, until its reader goes on. The router forgets it with the next revalidation, as when reports that waited
 * in the browser have arrived.
 *
 * @param result the route's `actionData`.
 */
export function useLastingResult<Result extends ActionResult>(result: Result | undefined): Result | undefined {
  // A new one with every submission and every move, and the same after a revalidation.
  const { key } = useLocation()
  const [last, setLast] = useState({ key, result })
  if (key !== last.key || (result && result !== last.result)) setLast({ key, result })
  if (result) return result
  return last.key === key && last.result?.done ? last.result : undefined
}
