import type { infer as infer_, ZodMiniType } from 'zod/mini'
import type { FieldErrors } from '~/ui/action-result'

export type FormCheck<Schema extends ZodMiniType> =
  | { data: infer_<Schema>; errors?: undefined }
  | { data?: undefined; errors: FieldErrors }

/** What a form holds, or for each wrong field its first message. */
export function checkForm<Schema extends ZodMiniType>(schema: Schema, form: FormData): FormCheck<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(form))
  if (parsed.success) return { data: parsed.data }
  const errors: FieldErrors = {}
  for (const { path, message } of parsed.error.issues) {
    const field = String(path[0])
    errors[field] ??= message
  }
  return { errors }
}
