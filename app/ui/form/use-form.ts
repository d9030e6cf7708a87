import {
  type FormEvent,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { type FetcherWithComponents, useFetcher } from 'react-router'
import { type FieldErrors, type FormResult, getFieldErrors } from './form-result'

type UseFormOptions<Success extends object> = {
  /**
   * Checks the form before it is sent, with the same schema as the route action. A large schema can
   * be imported here, so that the page shows before the schema has loaded.
   *
   * @returns a message for each wrong field
   */
  validate?(form: FormData): FieldErrors | undefined | Promise<FieldErrors | undefined>
  /** What the page shows at first: usually the result of a form submitted without a script. */
  initialResult?: FormResult<Success>
  /** Runs after a successful change. The form stays busy until the returned promise settles. */
  onSuccess?(result: FormResult<Success> & { done: true }): unknown
  /** The error message if `onSuccess` throws. Without one, its error is not caught. */
  onSuccessFailed?: string
  /** False if the page's loaders can't run again after the change. */
  shouldRevalidate?: boolean
}

/** The state of one form. `<Form form={...}>` submits it. */
export type FormState<Success extends object = object> = {
  ref: RefObject<HTMLFormElement | null>
  fetcher: FetcherWithComponents<FormResult<Success>>
  result: FormResult<Success> | undefined
  errors: FieldErrors
  banner: string | undefined
  notice: string | undefined
  /** Whether the form is being sent, or `onSuccess` is running. */
  isBusy: boolean
  /** The `intent` of the button that is submitting the form. */
  pendingIntent: FormDataEntryValue | null | undefined
  hasValidation: boolean
  /** Removes all messages. */
  clear(): void
  handleSubmit(event: SubmitEvent<HTMLFormElement>): Promise<void>
  handleInput(event: FormEvent<HTMLFormElement>): void
}

/**
 * Validates a form, submits it to a route action, and keeps the result until the next submission.
 *
 * - Without a script, the browser submits the form, and the page shows the result as
 *   `initialResult`.
 * - Fields are uncontrolled, so text that was entered before the script ran stays.
 * - When a field is wrong, the first wrong field gets the focus. Its error clears once it is
 *   edited.
 */
export function useForm<Success extends object = object>({
  validate,
  initialResult,
  onSuccess,
  onSuccessFailed,
  shouldRevalidate = true,
}: UseFormOptions<Success> = {}): FormState<Success> {
  const fetcher = useFetcher<FormResult<Success>>()
  const ref = useRef<HTMLFormElement>(null)
  const [result, setResult] = useState(initialResult)
  const [isFinishing, setIsFinishing] = useState(false)
  const handledResponse = useRef<FormResult<Success>>(undefined)
  // The button can be pressed a second time before React has disabled it.
  const isSubmitting = useRef(false)

  const response = fetcher.state === 'idle' ? fetcher.data : undefined
  useEffect(() => {
    if (!response || response === handledResponse.current) {
      return
    }

    handledResponse.current = response
    void handleResponse(response as FormResult<Success>)
  })

  useEffect(() => {
    if (fetcher.state === 'idle') {
      isSubmitting.current = false
    }
  }, [fetcher.state])

  async function handleResponse(newResult: FormResult<Success>) {
    setResult(newResult)
    if (!newResult.done) {
      focusFirstWrongField(ref.current, newResult.errors)
      return
    }

    if (!onSuccess) {
      return
    }

    setIsFinishing(true)
    try {
      await onSuccess(newResult)
    } catch (error) {
      if (onSuccessFailed === undefined) {
        throw error
      }

      setResult({ done: false, errors: { form: onSuccessFailed } })
    } finally {
      setIsFinishing(false)
    }
  }

  async function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSubmitting.current) {
      return
    }

    isSubmitting.current = true
    const form = event.currentTarget
    const { submitter } = event.nativeEvent
    const errors = validate ? await findErrors(new FormData(form, submitter)) : {}
    if (Object.keys(errors).length > 0) {
      setResult({ done: false, errors })
      focusFirstWrongField(form, errors)
      isSubmitting.current = false
      return
    }

    setResult(undefined)
    const target = submitter instanceof HTMLButtonElement ? submitter : form
    const options = shouldRevalidate ? undefined : { defaultShouldRevalidate: false }
    await fetcher.submit(target, options)
  }

  async function findErrors(form: FormData): Promise<FieldErrors> {
    try {
      return (await validate?.(form)) ?? {}
    } catch {
      // The schema could not be loaded. The server validates with the same schema.
      return {}
    }
  }

  function handleInput({ target }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement
    if (result?.done === false && result.errors[name]) {
      const { [name]: _edited, ...otherErrors } = result.errors
      setResult({ ...result, errors: otherErrors })
    }
  }

  return {
    ref,
    fetcher,
    result,
    errors: getFieldErrors(result),
    banner: result?.done === false ? result.banner : undefined,
    notice: result?.done ? result.notice : undefined,
    isBusy: fetcher.state !== 'idle' || isFinishing,
    pendingIntent: fetcher.formData?.get('intent'),
    hasValidation: validate !== undefined,
    clear: () => setResult(undefined),
    handleSubmit,
    handleInput,
  }
}

function focusFirstWrongField(form: HTMLFormElement | null, errors: FieldErrors): void {
  const [name] = Object.keys(errors)
  const fields = form ? [...form.elements] : []
  const field = fields.find((element) => element.getAttribute('name') === name)
  if (name !== undefined && field instanceof HTMLElement) {
    field.focus()
  }
}
