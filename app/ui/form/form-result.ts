import { useState } from 'react'
import { type Location, useLocation, useNavigation } from 'react-router'

/** The message for each wrong field. The entry `form` holds an error that belongs to no field. */
export type FieldErrors = Partial<Record<string, string>>

/** The result of a submitted form whose change was not made. */
type FailedResult = {
  done: false
  errors: FieldErrors
  /** The submitted values, without passwords. A page without scripts fills them in again. */
  submittedValues?: Record<string, string>
  /** A message for the banner above the page, in addition to the errors. */
  banner?: string
}

/**
 * The result of every route action that receives a form, with and without scripts. The server
 * makes it with `successResponse` and `errorResponse` of `form-response.server.ts`.
 *
 * Each message has its place: an error stands beside its field, or beside the button if it belongs to no
 * field (`errors.form`); a `banner` stands above the page; the `notice` of a success, where the page shows
 * its outcome.
 *
 * @typeParam Success more values of a success, such as the ID of a new row
 */
export type FormResult<Success extends object = object> =
  | ({ done: true; notice?: string } & Success)
  | FailedResult

/** @param problem a sentence about the whole form, or one for each wrong field */
export function failedResult(problem: string | FieldErrors): FailedResult {
  return { done: false, errors: typeof problem === 'string' ? { form: problem } : problem }
}

/** Returns no errors before the first response and after a successful change. */
export function getFieldErrors(result: FormResult | undefined): FieldErrors {
  return result?.done === false ? result.errors : {}
}

/**
 * Keeps a successful result on screen until the learner leaves the page or submits a form. React
 * Router drops its `actionData` earlier, at the next revalidation, which happens for example when
 * waiting changes of this browser have been sent. A failure may be dropped, because the next submission
 * replaces it.
 *
 * @param result the route's `actionData`
 */
export function useResultUntilNavigation<Result extends FormResult>(
  result: Result | undefined,
): Result | undefined {
  const displayed = { result, location: useLocation(), navigation: useNavigation() }
  const [keptResult, setKeptResult] = useState(() => keepResult(null, displayed))
  const nextKeptResult = keepResult(keptResult, displayed)
  if (nextKeptResult !== keptResult) {
    setKeptResult(nextKeptResult)
  }

  if (result) {
    return result
  }

  return nextKeptResult.result?.done ? nextKeptResult.result : undefined
}

/** A result, and the key of the location that it belongs to. */
type KeptResult<Result> = { result: Result | undefined; locationKey: string }

/** The part of the router's state that decides which result is kept. */
type DisplayedState<Result> = {
  /** The route's `actionData`. */
  result: Result | undefined
  location: Location
  navigation: ReturnType<typeof useNavigation>
}

/**
 * Returns the result to keep after React has rendered a state of the router. React may skip states
 * that follow each other quickly.
 *
 * @param keptResult what was kept before; null at first
 */
export function keepResult<Result>(
  keptResult: KeptResult<Result> | null,
  { result, location, navigation }: DisplayedState<Result>,
): KeptResult<Result> {
  if (result !== undefined && result !== keptResult?.result) {
    // The result of a form comes before its location, while the data of the page is loading.
    const isFormLoading = navigation.state === 'loading' && navigation.formMethod !== undefined
    const { key: locationKey } = isFormLoading ? navigation.location : location
    return { result, locationKey }
  }

  // The location's key changes with every submission and navigation, but not with a revalidation.
  const hasLeft = result === undefined && location.key !== keptResult?.locationKey
  return hasLeft || keptResult === null
    ? { result: undefined, locationKey: location.key }
    : keptResult
}
