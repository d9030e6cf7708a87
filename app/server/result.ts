/**
 * The outcome of a function that can fail in a way that its caller expects, such as "this order
 * was already refunded". Exceptions are for defects and outages only.
 *
 * `problem` is a complete sentence for the person who asked for the change. Where a caller has to
 * tell failures apart, a function returns a discriminated union of its own instead.
 *
 * `field` is the name of the form's field that the problem is about, so that the page shows the
 * sentence there.
 */
export type Result<Value = undefined> =
  | { ok: true; value: Value }
  | { ok: false; problem: string; field?: string }

export function success(): { ok: true; value: undefined }
export function success<Value>(value: Value): { ok: true; value: Value }
export function success(value?: unknown) {
  return { ok: true as const, value }
}

export function failure(problem: string): { ok: false; problem: string } {
  return { ok: false, problem }
}

/** @param field the name of the form's field that the problem is about */
export function fieldFailure(field: string, problem: string): Result<never> {
  return { ok: false, problem, field }
}
