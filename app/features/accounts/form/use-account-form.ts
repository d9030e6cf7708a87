import { type FormEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { FieldErrors } from '~/ui/action-result'
import { triedAgainIn } from './form-messages'
import type { FormResult } from './form-result'
import { type Check, isLate, type LateCheck } from './late-check'
import { useAnotherTry } from './use-another-try'

type Shown = { errors: FieldErrors; banner?: string; notice?: string }

type AccountFormSettings = {
  /** What is wrong before anything is sent; by the schema that the action checks by. */
  check: Check | LateCheck
  /** What a form without scripts was answered, or what the page's address says. */
  first?: FormResult
  /** What follows from a change that was made; the form is busy until then. @throws to have `failed` said. */
  onDone?(result: FormResult & { done: true }): unknown
  failed?: string
  /** Sends the form again by itself while Learnify is too busy. */
  persistent?: boolean
}

/**
 * The one state of a form: what is wrong and where, what the banner says, and whether it is on its way. It is sent to
 * the route's action, with and without scripts. Fields are uncontrolled, so that what was typed before the script ran
 * stays.
 */
export function useAccountForm({ check, first, onDone, failed, persistent = false }: AccountFormSettings) {
  const fetcher = useFetcher<FormResult>()
  const form = useRef<HTMLFormElement>(null)
  const [shown, setShown] = useState<Shown>(() => shownOf(first))
  const [following, setFollowing] = useState(false)
  const result = fetcher.state === 'idle' ? fetcher.data : undefined
  const taken = useRef<FormResult>(undefined)
  /** Two presses may come within a frame, before the button is disabled. */
  const sent = useRef(false)
  const pressed = useRef<HTMLElement | null>(null)
  /** The form sends itself again: it stays open meanwhile, for whoever is in one of its fields. */
  const [byItself, setByItself] = useState(false)
  const tryingAgain = useRef(false)
  const edited = useRef(false)
  const anotherTry = useAnotherTry(() => {
    tryingAgain.current = true
    form.current?.requestSubmit(pressed.current)
    tryingAgain.current = false
  })

  function show(next: Shown) {
    setShown(next)
    const [name] = Object.keys(next.errors)
    const field = name && form.current?.elements.namedItem(name)
    if (field instanceof HTMLElement) field.focus()
  }

  async function take(answer: FormResult) {
    const again = persistent && !answer.done && answer.again
    // What was changed meanwhile is not sent by itself.
    if (again && !edited.current && anotherTry.wait()) return
    anotherTry.stop()
    show(shownOf(answer))
    if (!answer.done || !onDone) return
    setFollowing(true)
    try {
      await onDone(answer)
    } catch (error) {
      if (failed === undefined) throw error
      setShown({ errors: { form: failed } })
    } finally {
      setFollowing(false)
    }
  }

  useEffect(() => {
    if (!result || result === taken.current) return
    taken.current = result
    sent.current = false
    void take(result)
  })

  useEffect(() => {
    if (fetcher.state === 'idle') sent.current = false
  }, [fetcher.state])

  function send(event: SubmitEvent<HTMLFormElement>) {
    const { currentTarget: element } = event
    const { submitter } = event.nativeEvent
    const known = isLate(check) ? check.known() : check
    if (!known) {
      event.preventDefault()
      if (isLate(check)) void check.load().then(() => element.requestSubmit(submitter))
      return
    }
    const errors = known(new FormData(element, submitter)) ?? {}
    const fine = Object.keys(errors).length === 0
    if (sent.current || !fine) event.preventDefault()
    if (sent.current) return
    sent.current = fine && !tryingAgain.current
    setByItself(tryingAgain.current)
    edited.current = false
    pressed.current = submitter
    anotherTry.sent()
    show({ errors })
  }

  /** What is in the form now was not sent before. */
  function change() {
    edited.current = true
    anotherTry.stop()
  }

  function edit({ target }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement
    change()
    if (shown.errors[name]) setShown(({ errors: { [name]: _edited, ...errors }, ...rest }) => ({ ...rest, errors }))
  }

  const underWay = fetcher.state !== 'idle'
  return {
    ...shown,
    form,
    busy: underWay || following,
    /** Nothing in it can be changed now. */
    locked: (underWay && !byItself) || following,
    /** Of the button that sent it. */
    intent: fetcher.formData?.get('intent'),
    clear() {
      change()
      setShown({ errors: {} })
    },
    /** That it is sent again by itself, and when. */
    waiting: anotherTry.seconds === null ? undefined : triedAgainIn(anotherTry.seconds),
    Form: fetcher.Form,
    formProps: {
      ref: form,
      method: 'post',
      noValidate: true,
      onSubmit: send,
      onInput: edit,
      onFocus: isLate(check) ? check.load : undefined,
    } as const,
  }
}

export type AccountForm = ReturnType<typeof useAccountForm>

function shownOf(result: FormResult | undefined): Shown {
  if (!result) return { errors: {} }
  return result.done ? { errors: {}, notice: result.notice } : { errors: result.errors, banner: result.banner }
}
