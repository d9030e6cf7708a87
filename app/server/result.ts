/**
 * The outcome of a function that can fail in a way that its caller expects, such as "this order
 * was already refunded". Exceptions are for defects and outages only.
 *
 * Where a caller has to tell failures apart, a function returns a discriminated union of its own
 * instead.
 */
export type Result<Value = undefined> = Success<Value> | Failure

type Success<Value> = { ok: true; value: Value }

type Failure = {
  ok: false
  /** A complete sentence that the user reads. It must not contain the message of an exception. */
  problem: string
  /** The name of the form's field that shows the problem. */
  field?: string
}

// The first signature lets a function that has nothing to return call `success()`.
export function success(): Success<undefined>
export function success<Value>(value: Value): Success<Value>
export function success(value?: unknown): Success<unknown> {
  return { ok: true, value }
}

/** @param field the name of the form's field that shows the problem */
export function failure(problem: string, field?: string): Failure {
  return field === undefined ? { ok: false, problem } : { ok: false, problem, field }
}
