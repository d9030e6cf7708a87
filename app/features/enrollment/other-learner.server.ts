/**
 * A choice that waited in a browser names its learner; somebody else may be signed in by now. Plain forms name nobody.
 *
 * @returns an answer that leaves the choice in the browser, or null.
 */
export function refuseOtherLearner(form: FormData, uid: string): Response | null {
  const owner = form.get('uid')
  return owner === null || owner === uid ? null : Response.json({ refusal: 'other-learner' }, { status: 403 })
}
