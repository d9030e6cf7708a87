/**
 * Rejects a form that was made for another learner. A choice that waited in a browser names its
 * learner, and another account may have signed in since. Plain forms name nobody and are accepted.
 *
 * @returns a response that makes the browser keep the choice, or null if the form is accepted
 */
export function otherLearnerResponse(form: FormData, uid: string): Response | null {
  const intendedUid = form.get('uid')
  if (intendedUid === null || intendedUid === uid) {
    return null
  }

  return Response.json({ refusal: 'other-learner' }, { status: 403 })
}
