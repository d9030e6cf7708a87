import { type FormEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { FieldErrors } from '~/ui/form/form-result'
import type { AccountFormResult } from './form-result'

type Shown = { errors: FieldErrors; banner?: string; notice?: string }

type AccountFormSettings = {
  /**
   * Checks the form before it is sent, by the action's schema. That is larger than the page, so it
   * may load first.
   */
  validate(form: FormData): FieldErrors | undefined | Promise<FieldErrors | undefined>
  /** The action's result for a form without scripts, or a notice from the page's address. */
  first?: AccountFormResult
  /** Runs after a successful change; the form is busy until it ends. @throws to show `failed`. */
  onDone?(result: AccountFormResult & { done: true }): unknown
  failed?: string
  /** False if the page's data is gone after the change. */
  revalidates?: boolean
}

/**
 * The state of a form: errors by field, the banner, and whether it is being sent. The form goes to
 * the route's action, with and without scripts. Fields are uncontrolled, so text typed before the
 * script ran stays.
 */
export function useAccountForm({
  validate,
  first,
  onDone,
  failed,
  revalidates = true,
}: AccountFormSettings) {
  const fetcher = useFetcher<AccountFormResult>()
  const form = useRef<HTMLFormElement>(null)
  const [shown, setShown] = useState<Shown>(() => shownOf(first))
  const [finishing, setFinishing] = useState(false)
  const handledResult = useRef<AccountFormResult>(undefined)
  /** Guards against a second press before the button is disabled. */
  const sent = useRef(false)

  function show(next: Shown) {
    setShown(next)
    const [name] = Object.keys(next.errors)
    const field = name && form.current?.elements.namedItem(name)
    if (field instanceof HTMLElement) {
      field.focus()
    }
  }

  async function handle(result: AccountFormResult) {
    show(shownOf(result))
    if (!result.done || !onDone) {
      return
    }

    setFinishing(true)
    try {
      await onDone(result)
    } catch (error) {
      if (failed === undefined) {
        throw error
      }

      setShown({ errors: { form: failed } })
    } finally {
      setFinishing(false)
    }
  }

  const result = fetcher.state === 'idle' ? fetcher.data : undefined
  useEffect(() => {
    if (!result || result === handledResult.current) {
      return
    }

    handledResult.current = result
    void handle(result)
  })

  useEffect(() => {
    if (fetcher.state === 'idle') {
      sent.current = false
    }
  }, [fetcher.state])

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (sent.current) {
      return
    }

    sent.current = true

    const element = event.currentTarget
    const { submitter } = event.nativeEvent
    const errors = await findErrors(new FormData(element, submitter))
    show({ errors })
    if (Object.keys(errors).length === 0) {
      const target = submitter instanceof HTMLButtonElement ? submitter : element
      await fetcher.submit(target, revalidates ? undefined : { defaultShouldRevalidate: false })
    } else {
      sent.current = false
    }
  }

  /**
   * If the schema can't be loaded, the form is sent as it is: the server validates by the same one.
   */
  async function findErrors(entered: FormData): Promise<FieldErrors> {
    try {
      return (await validate(entered)) ?? {}
    } catch {
      return {}
    }
  }

  function edit({ target }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement
    if (shown.errors[name]) {
      setShown(({ errors: { [name]: _edited, ...errors }, ...rest }) => ({ ...rest, errors }))
    }
  }

  return {
    ...shown,
    form,
    busy: fetcher.state !== 'idle' || finishing,
    /** Of the button that sent the form. */
    intent: fetcher.formData?.get('intent'),
    clear: () => setShown({ errors: {} }),
    Form: fetcher.Form,
    formProps: {
      ref: form,
      method: 'post',
      noValidate: true,
      onSubmit: submit,
      onInput: edit,
    } as const,
  }
}

export type AccountForm = ReturnType<typeof useAccountForm>

function shownOf(result: AccountFormResult | undefined): Shown {
  if (!result) {
    return { errors: {} }
  }

  return result.done
    ? { errors: {}, notice: result.notice }
    : { errors: result.errors, banner: result.banner }
}
