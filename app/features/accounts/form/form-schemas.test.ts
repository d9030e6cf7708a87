import { describe, expect, it } from 'vitest'
import { checkForm } from './form-result'
import { loginForm, newPasswordForm, resetRequestForm, signUpForm } from './form-schemas'

function form(fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    data.set(name, value)
  }

  return data
}

const good = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  password: 'secret1',
  confirmPassword: 'secret1',
  terms: 'on',
}
const signUpErrors = (changes: Record<string, string>) =>
  checkForm(signUpForm(6), form({ ...good, ...changes })).errors

describe('the login form', () => {
  it('asks for an e-mail and a password', () => {
    expect(checkForm(loginForm, form({})).errors).toEqual({
      email: 'Email is required',
      password: 'Password is required',
    })
  })

  it('wants an e-mail that looks like one and a password of 6 characters', () => {
    expect(checkForm(loginForm, form({ email: 'ada@example', password: '12345' })).errors).toEqual({
      email: 'Please enter a valid email',
      password: 'Password must be at least 6 characters',
    })
  })

  it('trims the e-mail, never the password', () => {
    const { data } = checkForm(
      loginForm,
      form({ email: ' ada@example.com ', password: ' spaces ' }),
    )
    expect(data).toEqual({ email: 'ada@example.com', password: ' spaces ', rememberMe: false })
  })

  it('knows whether to remember', () => {
    expect(checkForm(loginForm, form({ ...good, rememberMe: 'on' })).data?.rememberMe).toBe(true)
  })
})

describe('the sign-up form', () => {
  it('takes what is right', () => {
    expect(checkForm(signUpForm(6), form(good)).data).toEqual({ ...good, terms: true })
  })

  it('takes no email address as a name', () => {
    expect(signUpErrors({ firstName: 'ada@example.com', lastName: 'Lovelace ada@home' })).toEqual({
      firstName: 'First name can’t be an email address',
      lastName: 'Last name can’t be an email address',
    })
  })

  it('wants as many characters of a new password as the school says', () => {
    const tooShort = { password: 'Password must be at least 12 characters' }

    expect(checkForm(signUpForm(12), form(good)).errors).toEqual(tooShort)

    const long = { password: 'twelve chars', confirmPassword: 'twelve chars' }

    expect(checkForm(signUpForm(12), form({ ...good, ...long })).errors).toBeUndefined()
  })

  it('says everything that is missing at once', () => {
    expect(checkForm(signUpForm(6), form({})).errors).toEqual({
      firstName: 'First name is required',
      lastName: 'Last name is required',
      email: 'Email is required',
      password: 'Password is required',
      confirmPassword: 'Please confirm your password',
      terms: 'You must agree to the terms and conditions',
    })
  })

  it('wants names that are more than spaces', () => {
    expect(signUpErrors({ firstName: '  ', lastName: '\t' })).toEqual({
      firstName: 'First name is required',
      lastName: 'Last name is required',
    })
  })

  it('compares both passwords, also when other fields are wrong', () => {
    expect(signUpErrors({ confirmPassword: 'secret2' })).toEqual({
      confirmPassword: 'Passwords do not match',
    })
    expect(signUpErrors({ confirmPassword: 'secret2', email: '' })).toEqual({
      email: 'Email is required',
      confirmPassword: 'Passwords do not match',
    })
  })

  it.each(['李', 'José María', "O'Neill-Smith", 'عائشة', '𠮷田', 'ส้ม'])(
    'takes the name %s',
    (firstName) => {
      expect(signUpErrors({ firstName })).toBeUndefined()
    },
  )

  it.each([
    'a\nb',
    '\u200b',
    '\u202e \u2060',
    '\u3164',
    '\u115f\uffa0',
    '\u2800',
    'Ada\u202e',
    '\u2067Ada',
  ])('refuses the name %j, which nobody could read on a line', (firstName) => {
    expect(signUpErrors({ firstName })).toHaveProperty('firstName')
  })

  it('names the invisible character of an address', () => {
    expect(signUpErrors({ email: 'ida\u2800@example.com' })?.email).toContain(
      'Braille blank (U+2800)',
    )
    expect(signUpErrors({ email: 'ida\u200b@example.com' })?.email).toContain(
      'zero width space (U+200B)',
    )
  })

  it('refuses a name of 500 characters and one with a NUL', () => {
    expect(signUpErrors({ firstName: 'x'.repeat(500) })).toEqual({
      firstName: 'First name must be 100 characters or fewer',
    })
    expect(signUpErrors({ lastName: 'a\0b' })).toHaveProperty('lastName')
  })
})

describe('the reset forms', () => {
  it('ask for an e-mail, then for a password twice', () => {
    expect(checkForm(resetRequestForm, form({ email: '' })).errors).toEqual({
      email: 'Email is required',
    })

    const entered = form({ token: 't', password: 'secret1', confirmPassword: 'secret' })

    expect(checkForm(newPasswordForm(6), entered).errors).toEqual({
      confirmPassword: 'Passwords do not match',
    })
  })
})
