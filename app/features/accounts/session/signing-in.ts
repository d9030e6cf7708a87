import { useFetchers } from 'react-router'

/** Whether a form that registers or signs in is on its way. */
export function useSigningIn(): boolean {
  return useFetchers().some(({ formAction }) => /^\/(Login|SignUp)(\?|$)/i.test(formAction ?? ''))
}
