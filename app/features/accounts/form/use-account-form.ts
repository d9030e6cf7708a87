import { type FormEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { FieldErrors } from '~/ui/action-result'
import { retriedIn } from './form-messages'
import type { FormResult } from './form-result'

type Shown = { errors: FieldErrors; banner?: string; notice?: string }

type AccountFormSettings = {
  /** Validates before anything is sent, with the schema that the action uses. */
  validation: Validation | LazyValidation
  /** The action's result for a form without scripts, or a notice from the page's address. */
  first?: FormResult
  /** Runs after a successful change; the form is busy until it ends. @throws to show `failed`. */
  onDone?(result: FormResult & { done: true }): unknown
  failed?: string
  /** Retries automatically while the server is too busy. */
  retries?: boolean
}

/**
 * The state of a form: errors by field, the banner, and whether it is being sent. The form goes to the route's action,
 * with and without scripts. Fields are uncontrolled, so text typed before the script ran stays.
 */
export function useAccountForm({ validation, first, onDone, failed, retries = false }: AccountFormSettings) {
  const fetcher = useFetcher<FormResult>()
  const form = useRef<HTMLFormElement>(null)
  const submitButton = useRef<HTMLElement | null>(null)
  const [shown, setShown] = useState<Shown>(() => shownOf(first))
  const [finishing, setFinishing] = useState(false)
  const [isRetry, setIsRetry] = useState(false)
  const handledResult = useRef<FormResult>(undefined)
  /** Guards against a second press within a frame, before the button is disabled. */
  const sent = useRef(false)
  const edited = useRef(false)
  const retrying = useRef(false)
  const retry = useRetry(() => {
    retrying.current = true
    form.current?.requestSubmit(submitButton.current)
    retrying.current = false
  })

  function show(next: Shown) {
    setShown(next)
    const [name] = Object.keys(next.errors)
    const field = name && form.current?.elements.namedItem(name)
    if (field instanceof HTMLElement) field.focus()
  }

  async function handle(result: FormResult) {
    const retriable = retries && !result.done && result.again
    // A form that was edited meanwhile isn't sent automatically.
    if (retriable && !edited.current && retry.schedule()) return
    retry.stop()
    show(shownOf(result))
    if (!result.done || !onDone) return

    setFinishing(true)
    try {
      await onDone(result)
    } catch (error) {
      if (failed === undefined) throw error
      setShown({ errors: { form: failed } })
    } finally {
      setFinishing(false)
    }
  }

  const result = fetcher.state === 'idle' ? fetcher.data : undefined
  useEffect(() => {
    if (!result || result === handledResult.current) return
    handledResult.current = result
    sent.current = false
    void handle(result)
  })

  useEffect(() => {
    if (fetcher.state === 'idle') sent.current = false
  }, [fetcher.state])

  function submit(event: SubmitEvent<HTMLFormElement>) {
    const { currentTarget: element } = event
    const { submitter } = event.nativeEvent
    const validate = isLazy(validation) ? validation.loaded() : validation
    if (!validate) {
      event.preventDefault()
      if (isLazy(validation)) void validation.load().then(() => element.requestSubmit(submitter))
      return
    }

    const errors = validate(new FormData(element, submitter)) ?? {}
    const valid = Object.keys(errors).length === 0
    if (sent.current || !valid) event.preventDefault()
    if (sent.current) return
    sent.current = valid && !retrying.current
    setIsRetry(retrying.current)
    edited.current = false
    submitButton.current = submitter
    retry.sent()
    show({ errors })
  }

  function noteEdit() {
    edited.current = true
    retry.stop()
  }

  function edit({ target }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement
    noteEdit()
    if (shown.errors[name]) setShown(({ errors: { [name]: _edited, ...errors }, ...rest }) => ({ ...rest, errors }))
  }

  const sending = fetcher.state !== 'idle'
  return {
    ...shown,
    form,
    busy: sending || finishing,
    /** Blocks changes. During an automatic retry, the fields stay open. */
    locked: (sending && !isRetry) || finishing,
    /** For the button that sent the form. */
    intent: fetcher.formData?.get('intent'),
    clear() {
      noteEdit()
      setShown({ errors: {} })
    },
    /** Announces the next automatic retry. */
    waiting: retry.seconds === null ? undefined : retriedIn(retry.seconds),
    Form: fetcher.Form,
    formProps: {
      ref: form,
      method: 'post',
      noValidate: true,
      onSubmit: submit,
      onInput: edit,
      onFocus: isLazy(validation) ? validation.load : undefined,
    } as const,
  }
}

export type AccountForm = ReturnType<typeof useAccountForm>

function shownOf(result: FormResult | undefined): Shown {
  if (!result) return { errors: {} }
  return result.done ? { errors: {}, notice: result.notice } : { errors: result.errors, banner: result.banner }
}

export type Validation = (form: FormData) => FieldErrors | undefined

/** A validation whose schema loads when the form is first focused: it is larger than the rest of the page. */
export type LazyValidation = { loaded(): Validation | undefined; load(): Promise<void> }

/** @param load if it fails, the form is sent as it is: the server validates by the same schema. */
export function lazyValidation(load: () => Promise<Validation>): LazyValidation {
  let validation: Validation | undefined
  return {
    loaded: () => validation,
    async load() {
      validation ??= await load().catch(() => () => undefined)
    },
  }
}

function isLazy(validation: Validation | LazyValidation): validation is LazyValidation {
  return typeof validation !== 'function'
}

/** About two minutes in all, enough for a lecture hall to sign in. */
const maxRetries = 40

/** Sends a form again while the server is too busy. The pause is random, two to five seconds, to spread the retries. */
function useRetry(send: () => void) {
  const [seconds, setSeconds] = useState<number | null>(null)
  const retries = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    /** The length of this pause; it stays until the result of the retry. */
    seconds,
    /** @returns false after too many retries. */
    schedule(): boolean {
      if (retries.current >= maxRetries) return false
      retries.current += 1
      const pause = 2 + Math.floor(Math.random() * 4)
      setSeconds(pause)
      timer.current = setTimeout(send, pause * 1000)
      return true
    },
    /** The form was sent, possibly by hand during a pause. */
    sent: () => clearTimeout(timer.current),
    stop() {
      clearTimeout(timer.current)
      retries.current = 0
      setSeconds(null)
    },
  }
}
