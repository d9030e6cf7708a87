import { useState } from 'react'
import { type Location, useLocation, useNavigation } from 'react-router'
import type { FormResult } from './form-result'

/**
 * Keeps a successful result on screen until the learner leaves the page or submits a form. React
 * Router drops its `actionData` earlier, at the next revalidation, which happens for example when
 * waiting changes of this browser have been sent. A failure may be dropped, because the next
 * submission replaces it.
 *
 * @param result the route's `actionData`
 */
export function useResultUntilNavigation<Result extends FormResult>(
  result: Result | undefined,
): Result | undefined {
  const routerState = { result, location: useLocation(), navigation: useNavigation() }
  const [storedResult, setStoredResult] = useState(() => getStoredResult(null, routerState))
  const nextStoredResult = getStoredResult(storedResult, routerState)
  if (nextStoredResult !== storedResult) {
    setStoredResult(nextStoredResult)
  }

  if (result) {
    return result
  }

  return nextStoredResult.result?.done ? nextStoredResult.result : undefined
}

/** A result, and the key of the location that it belongs to. */
type StoredResult<Result> = { result: Result | undefined; locationKey: string }

/** The part of the router's state that decides which result is stored. */
type RouterState<Result> = {
  /** The route's `actionData`. */
  result: Result | undefined
  location: Location
  navigation: ReturnType<typeof useNavigation>
}

/**
 * Returns the result to store after React has rendered a state of the router. React may skip states
 * that follow each other quickly.
 *
 * @param storedResult the result that was stored before; null at first
 */
export function getStoredResult<Result>(
  storedResult: StoredResult<Result> | null,
  { result, location, navigation }: RouterState<Result>,
): StoredResult<Result> {
  if (result !== undefined && result !== storedResult?.result) {
    // The result of a form comes before its location, while the data of the page is loading.
    const isFormLoading = navigation.state === 'loading' && navigation.formMethod !== undefined
    const { key: locationKey } = isFormLoading ? navigation.location : location
    return { result, locationKey }
  }

  // The location's key changes with every submission and navigation, but not with a revalidation.
  const hasLeft = result === undefined && location.key !== storedResult?.locationKey
  return hasLeft || storedResult === null
    ? { result: undefined, locationKey: location.key }
    : storedResult
}
