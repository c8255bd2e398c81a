//! USD's text format as a tree: prims with attributes. What curves do not need (metadata, relations, dictionaries, other
//! attributes) is passed over and not kept, so that a scene full of meshes takes no memory for them.

use crate::scene::strand_file::MOST_POINTS;
use crate::scene::words::shown;

/// Prims may stand in each other so deep, more than any program writes.
const DEEPEST: usize = 100;
/// Most numbers of an attribute: the points.
const MOST_NUMBERS: usize = 3 * MOST_POINTS;
/// Most words of an attribute; a longer list is not one of those that curves need.
const MOST_WORDS: usize = 1000;
/// Attributes that are kept, beside those whose names begin with `xformOp`.
const KEPT: [&str; 9] = [
    "points",
    "curveVertexCounts",
    "widths",
    "primvars:displayColor",
    "type",
    "basis",
    "wrap",
    "upAxis",
    "metersPerUnit",
];

/// A file.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Layer<'a> {
    /// What stands in the brackets at its top.
    pub metadata: Attributes<'a>,
    pub prims: Vec<Prim<'a>>,
}

/// A thing in a file.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Prim<'a> {
    /// Its type, such as `BasisCurves`; may be empty.
    pub kind: &'a str,
    pub name: &'a str,
    pub attributes: Attributes<'a>,
    pub children: Vec<Prim<'a>>,
}

/// Names and values; of time samples, the first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Attributes<'a>(Vec<(&'a str, Value<'a>)>);

impl<'a> Attributes<'a> {
    /// The numbers of an attribute; none if it is not there.
    pub fn numbers(&self, name: &str) -> &[f64] {
        self.get(name).map_or(&[], |value| &value.numbers)
    }

    /// The words of an attribute; none if it is not there.
    pub fn words(&self, name: &str) -> &[&'a str] {
        self.get(name).map_or(&[], |value| &value.words)
    }

    fn get(&self, name: &str) -> Option<&Value<'a>> {
        let named = self.0.iter().find(|(other, _)| *other == name);
        named.map(|(_, value)| value)
    }
}

/// What stands behind `=`, brackets left out.
#[derive(Debug, Default, PartialEq)]
struct Value<'a> {
    numbers: Vec<f64>,
    words: Vec<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Mark(char),
    Number(f64),
    /// A name.
    Word(&'a str),
    /// What stood in quotes, between `@`s or in `<>`.
    Quoted(&'a str),
    End,
}

/// Reads a whole file, or says what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Layer<'_>, String> {
    let mut reader = Reader { text, at: 0 };
    let mut layer = Layer::default();
    if reader.peek()? == Token::Mark('(') {
        layer.metadata = reader.metadata()?;
    }
    loop {
        match reader.next()? {
            Token::End => return Ok(layer),
            Token::Word(word @ ("def" | "over" | "class")) => {
                layer.prims.extend(reader.specified(word, 0)?);
            }
            _ => {}
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// After `def`, `over` or `class`: a prim. A class is a pattern for others and is nowhere itself.
    fn specified(&mut self, word: &str, depth: usize) -> Result<Option<Prim<'a>>, String> {
        let prim = self.prim(depth)?;
        Ok((word != "class").then_some(prim))
    }

    /// A type, a name, perhaps metadata, and what is in it.
    fn prim(&mut self, depth: usize) -> Result<Prim<'a>, String> {
        if depth > DEEPEST {
            return Err(self.wrong(&format!(
                "prims stand more than {DEEPEST} deep in each other"
            )));
        }
        let mut prim = Prim::default();
        loop {
            match self.next()? {
                Token::Word(kind) => prim.kind = kind,
                Token::Quoted(name) => prim.name = name,
                Token::Mark('(') => self.skip_to(')')?,
                Token::Mark('{') => break,
                found => return Err(self.unexpected(found, "a prim: its name, then {")),
            }
        }
        loop {
            match self.next()? {
                Token::Mark('}') => return Ok(prim),
                Token::Word(word @ ("def" | "over" | "class")) => {
                    prim.children.extend(self.specified(word, depth + 1)?);
                }
                Token::Word(name) => self.attribute(name, &mut prim.attributes)?,
                Token::Mark('(') => self.skip_to(')')?,
                Token::Mark('{') => self.skip_to('}')?,
                Token::End => return Err(self.wrong("the file ends within a prim")),
                _ => {}
            }
        }
    }

    /// A word, and if `=` comes next, its value. Qualifiers and types are words without `=`.
    fn attribute(&mut self, name: &'a str, attributes: &mut Attributes<'a>) -> Result<(), String> {
        // A type of many: `float[]`.
        if self.peek()? == Token::Mark('[') {
            return self.next().and_then(|_| self.skip_to(']'));
        }
        if self.peek()? != Token::Mark('=') {
            return Ok(());
        }
        self.next()?;
        let (name, sampled) = match name.strip_suffix(".timeSamples") {
            Some(name) => (name, true),
            None => (name, false),
        };
        let keep = KEPT.contains(&name) || name.starts_with("xformOp");
        let value = if sampled {
            self.first_sample(keep)?
        } else {
            self.value(keep)?
        };
        if keep {
            attributes.0.push((name, value));
        }
        Ok(())
    }

    /// `{ time: value, … }`
    fn first_sample(&mut self, keep: bool) -> Result<Value<'a>, String> {
        match self.next()? {
            Token::Mark('{') => {}
            found => return Err(self.unexpected(found, "{ and samples")),
        }
        loop {
            match self.next()? {
                Token::Mark('}') => return Ok(Value::default()),
                Token::Mark(':') => {
                    let value = self.value(keep)?;
                    self.skip_to('}')?;
                    return Ok(value);
                }
                Token::End => return Err(self.wrong("the file ends within samples")),
                _ => {}
            }
        }
    }

    fn value(&mut self, keep: bool) -> Result<Value<'a>, String> {
        let mut value = Value::default();
        let mut depth = 0;
        loop {
            match self.next()? {
                Token::Number(_) if keep && value.numbers.len() == MOST_NUMBERS => {
                    return Err(self.wrong(&format!("more than {MOST_NUMBERS} numbers")));
                }
                Token::Number(number) if keep => value.numbers.push(number),
                Token::Word(word) | Token::Quoted(word)
                    if keep && value.words.len() < MOST_WORDS =>
                {
                    value.words.push(word);
                }
                Token::Number(_) | Token::Word(_) | Token::Quoted(_) => {}
                Token::Mark('(' | '[') => depth += 1,
                Token::Mark(')' | ']') if depth > 0 => depth -= 1,
                Token::Mark('{') => self.skip_to('}')?,
                // Between entries; and files in a list may have an offset: `(offset = 1; scale = 2)`.
                Token::Mark(',' | ';' | '=') if depth > 0 => {}
                found => return Err(self.unexpected(found, "a value")),
            }
            if depth == 0 {
                return Ok(value);
            }
        }
    }

    /// `( name = value … )`, with comments in quotes between.
    fn metadata(&mut self) -> Result<Attributes<'a>, String> {
        let mut found = Attributes::default();
        self.next()?;
        loop {
            match self.next()? {
                Token::Mark(')') => return Ok(found),
                Token::Word(name) => self.attribute(name, &mut found)?,
                Token::Mark('(') => self.skip_to(')')?,
                Token::Mark('{') => self.skip_to('}')?,
                Token::End => return Err(self.wrong("the file ends within its metadata")),
                _ => {}
            }
        }
    }

    /// Past the bracket that closes what is open, and all that open and close in between.
    fn skip_to(&mut self, close: char) -> Result<(), String> {
        let mut depth = 1;
        while depth > 0 {
            match self.next()? {
                Token::Mark('(' | '[' | '{') => depth += 1,
                Token::Mark(')' | ']' | '}') => depth -= 1,
                Token::End => return Err(self.wrong(&format!("the file ends before {close}"))),
                _ => {}
            }
        }
        Ok(())
    }

    fn peek(&mut self) -> Result<Token<'a>, String> {
        let here = self.at;
        let token = self.next();
        self.at = here;
        token
    }

    fn next(&mut self) -> Result<Token<'a>, String> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else {
            return Ok(Token::End);
        };
        match first {
            '"' | '\'' => self.quoted(first),
            '@' if rest.starts_with("@@@") => self.until("@@@", 3),
            '@' => self.until("@", 1),
            '<' => self.until(">", 1),
            c if c.is_alphabetic() || c == '_' => {
                let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '!');
                let length = rest.find(|c| !inside(c)).unwrap_or(rest.len());
                // A colon behind a name is not part of it.
                let word = rest[..length].trim_end_matches(':');
                self.at += word.len();
                Ok(number_word(word).unwrap_or(Token::Word(word)))
            }
            '0'..='9' | '-' | '+' | '.' => self.number(rest),
            mark => {
                self.at += mark.len_utf8();
                Ok(Token::Mark(mark))
            }
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            if !self.text[self.at..].starts_with('#') {
                return;
            }
            let line = &self.text[self.at..];
            self.at += line.find('\n').unwrap_or(line.len());
        }
    }

    fn number(&mut self, rest: &'a str) -> Result<Token<'a>, String> {
        let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
        let length = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        match rest[..length].parse() {
            Ok(number) => {
                self.at += length;
                Ok(Token::Number(number))
            }
            Err(_) => Err(self.wrong("expected a number")),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<Token<'a>, String> {
        let thrice = match quote {
            '"' => "\"\"\"",
            _ => "'''",
        };
        if self.text[self.at..].starts_with(thrice) {
            return self.until(thrice, 3);
        }
        let inside = &self.text[self.at + 1..];
        let mut escaped = false;
        for (place, c) in inside.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == quote => {
                    self.at += place + 2;
                    return Ok(Token::Quoted(&inside[..place]));
                }
                '\n' => break,
                _ => {}
            }
        }
        Err(self.wrong("expected a quote that closes"))
    }

    /// What stands between a mark of `skip` bytes and `close`.
    fn until(&mut self, close: &str, skip: usize) -> Result<Token<'a>, String> {
        let inside = &self.text[self.at + skip..];
        let length = inside
            .find(close)
            .ok_or_else(|| self.wrong(&format!("expected {close} that closes")))?;
        self.at += skip + length + close.len();
        Ok(Token::Quoted(&inside[..length]))
    }

    fn unexpected(&self, found: Token, expected: &str) -> String {
        let found = match found {
            Token::Mark(mark) => format!("\"{mark}\""),
            Token::Number(number) => number.to_string(),
            Token::Word(word) | Token::Quoted(word) => format!("\"{}\"", shown(word)),
            Token::End => "the end".to_owned(),
        };
        self.wrong(&format!("found {found}, expected {expected}"))
    }

    fn wrong(&self, why: &str) -> String {
        let lines = self.text[..self.at].matches('\n').count();
        format!("line {}: {why}", lines + 1)
    }
}

/// Numbers that are written as words.
fn number_word(word: &str) -> Option<Token<'static>> {
    match word {
        "inf" => Some(Token::Number(f64::INFINITY)),
        "nan" => Some(Token::Number(f64::NAN)),
        _ => None,
    }
}
