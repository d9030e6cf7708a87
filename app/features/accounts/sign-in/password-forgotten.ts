/** Whether the login form was sent by its button 'Forgot password?'. */
export function isPasswordForgotten(form: FormData): boolean {
  return form.get('intent') === 'forgot'
}
