/**
 * Recognizes what the columns of a table contain, by the names that spreadsheets, Google Classroom,
 * Google Workspace and Moodle give them in English, German, Spanish, French, Brazilian Portuguese
 * and Arabic. Accents, capital letters and punctuation don't matter.
 */
import type { ColumnMeaning } from './column-meanings'

const knownNames: Readonly<Record<ColumnMeaning, readonly string[]>> = {
  email: [
    ...['email', 'e-mail', 'mail', 'email address', 'e-mail address', 'e-mail 1 - value'],
    ...['user email', 'student email', 'emailadresse', 'e-mail-adresse', 'mailadresse'],
    ...[
      'mail-adresse',
      'correo',
      'correo electrónico',
      'dirección de correo',
      'dirección de email',
    ],
    ...['dirección de correo electrónico', 'courriel', 'adresse e-mail', 'adresse email'],
    ...['adresse mail', 'adresse courriel', 'adresse de courriel', 'adresse électronique', 'mél'],
    ...['endereço de e-mail', 'endereço de email', 'correio eletrônico'],
    ...[
      'البريد الإلكتروني',
      'بريد إلكتروني',
      'عنوان البريد الإلكتروني',
      'الإيميل',
      'إيميل',
      'البريد',
    ],
  ],
  first_name: [
    ...['first name', 'firstname', 'given name', 'givenname', 'forename', 'first'],
    ...['vorname', 'vornamen', 'nombres', 'nombre de pila', 'primer nombre'],
    ...['prénom', 'prénoms', 'prénom(s)', 'primeiro nome', 'prenome'],
    ...['الاسم الأول', 'الاسم الشخصي'],
  ],
  last_name: [
    ...['last name', 'lastname', 'surname', 'family name', 'familyname', 'last'],
    ...['nachname', 'familienname', 'zuname', 'apellido', 'apellidos', 'apellido(s)'],
    ...['primer apellido', 'nom de famille', 'sobrenome', 'sobrenomes', 'último nome'],
    ...['اسم العائلة', 'العائلة', 'الاسم الأخير', 'الكنية', 'اللقب'],
  ],
  name: [
    ...['full name', 'fullname', 'student name', 'student', 'vollständiger name'],
    ...['vor- und nachname', 'teilnehmer', 'schüler', 'nombre completo', 'nombre y apellidos'],
    ...['alumno', 'estudiante', 'nom complet', 'nom et prénom', 'prénom et nom', 'élève'],
    ...['étudiant', 'nome completo', 'nome e sobrenome', 'aluno', 'estudante'],
    ...['الاسم الكامل', 'اسم الطالب'],
  ],
  courses: [
    ...['courses', 'course', 'course id', 'course ids', 'kurs', 'kurse', 'kurs-id', 'kurs-ids'],
    ...['curso', 'cursos', 'cours', 'identifiant du cours', 'id du cours', 'id del curso'],
    ...['id do curso', 'الدورة', 'الدورات', 'دورة', 'دورات', 'المقرر', 'المقررات', 'المساق'],
  ],
}

/** Words for a name in general. What they mean depends on the columns beside them. */
const plainNames = ['name', 'nom', 'nombre', 'nombre(s)', 'nome', 'الاسم', 'اسم']

const meaningByName = new Map(
  Object.entries(knownNames).flatMap(([meaning, names]) =>
    names.map((name) => [simplifyName(name), meaning as ColumnMeaning]),
  ),
)
const simplePlainNames = plainNames.map(simplifyName)
const englishFirstNames = ['first_name', 'firstname', 'given_name', 'givenname', 'first']

/** Returns what each column contains, or null for a column with an unknown name. */
export function recognizeColumns(columns: readonly string[]): (ColumnMeaning | null)[] {
  const names = columns.map(simplifyName)
  const meanings = names.map(findMeaning)

  return names.map((name, index) =>
    simplePlainNames.includes(name)
      ? getPlainNameMeaning(names, meanings)
      : (meanings[index] ?? null),
  )
}

function findMeaning(name: string): ColumnMeaning | null {
  // Moodle numbers the columns of courses.
  if (/^(course|kurs|curso|cours)_?\d+$/.test(name)) {
    return 'courses'
  }

  return meaningByName.get(name) ?? null
}

/**
 * Tells what a column like 'Name' or 'Nom' contains. Beside 'Vorname' or 'Prénom', it has the last
 * names; beside 'Apellidos' or 'Sobrenome', the first names; otherwise the full names. Beside an
 * English 'First name', it has the full names too, as in exports of learning platforms.
 */
function getPlainNameMeaning(
  names: readonly string[],
  meanings: readonly (ColumnMeaning | null)[],
): ColumnMeaning {
  const hasFirstName = meanings.includes('first_name')
  const hasLastName = meanings.includes('last_name')
  if (hasLastName && !hasFirstName) {
    return 'first_name'
  }

  const hasEnglishFirstName = names.some((name) => englishFirstNames.includes(name))
  return hasFirstName && !hasLastName && !hasEnglishFirstName ? 'last_name' : 'name'
}

/** Turns 'Prénom(s)' into `prenom_s`, and 'E-Mail-Adresse' into `e_mail_adresse`. */
function simplifyName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, '_')
    .replace(/^_|_$/g, '')
}

/** Returns the known names of a meaning, in the form of the columns of a table. */
export function listKnownNames(meaning: ColumnMeaning): string[] {
  return knownNames[meaning].map(simplifyName)
}
