import type { FieldErrors } from '~/ui/action-result'

export type Check = (form: FormData) => FieldErrors | undefined

/** A check whose schema only those load who touch the form: it is larger than the rest of the page. */
export type LateCheck = { known(): Check | undefined; load(): Promise<void> }

/** @param load where it fails, the form is sent as it is: the server checks by the same schema. */
export function lateCheck(load: () => Promise<Check>): LateCheck {
  let check: Check | undefined
  return {
    known: () => check,
    async load() {
      check ??= await load().catch(() => () => undefined)
    },
  }
}

export function isLate(check: Check | LateCheck): check is LateCheck {
  return typeof check !== 'function'
}
