// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits a line of code into coloured tokens. One regular expression per language names the tokens by its groups.

const pythonWords = 'and|as|assert|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if|' +
  'import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield';
const tileWords = 'entry|for|loop|if|else|in|to|step|iter_values|yield|continue|break|return|constant|token|module|' +
  'weak|relaxed|acquire|release|acq_rel|device|sys|tl_blk|func|global';
const number = String.raw`(?<number>(?<![\w.$])-?(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?))`;
const string = String.raw`(?<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)`;

const grammars = {
  python: [String.raw`(?<comment>#.*)`, string, String.raw`(?<type>@[\w.]+)`,
           String.raw`(?<word>\b(?:${pythonWords})\b)`, String.raw`(?<name>\b\w+(?=\())`, number],
  tile: [String.raw`(?<comment>//.*)`, string, String.raw`(?<value>%[\w.$]+(?:[:#]\d+)?)`, String.raw`(?<name>@[\w.$]+)`,
         String.raw`(?<type>![\w.]+|#[\w.]+|\b(?:tile|ptr|tensor_view|partition_view|strided_view|gather_scatter_view)\b|` +
         String.raw`\b(?:\d+x)*(?:bf16|tf32|f8E\w+|[fi]\d+)\b)`,
         String.raw`(?<word>\b(?:${tileWords})\b)`, String.raw`(?<operation>\b[a-z]+_[a-z_]+\b|(?<== )[a-z]+\b)`, number],
  ptx: [String.raw`(?<comment>//.*)`, string, String.raw`(?<value>%[\w.]+)`, String.raw`(?<type>(?<!\w)\.[a-zA-Z]\w*)`,
        String.raw`(?<name>^\s*[\w$]+:)`, String.raw`(?<word>(?<=^\s*(?:@!?%\w+\s+)?)[a-z]\w*)`, number],
  llvm: [String.raw`(?<comment>;.*)`, string, String.raw`(?<value>%[\w.$-]+)`, String.raw`(?<name>@[\w.$-]+)`,
         String.raw`(?<type>[!#][\w.]+|\b(?:i\d+|float|double|half|bfloat|ptr|void)\b)`,
         String.raw`(?<word>(?:(?<=^\s+)|(?<== ))[a-z]+\b)`, number],
  assembly: [String.raw`(?<comment>(?:#|//|\/\*).*)`, string, String.raw`(?<value>%\w+)`, String.raw`(?<name>^\s*[\w.$]+:)`,
             String.raw`(?<type>^\s*\.\w+)`, String.raw`(?<word>(?<=^\s+)[a-zA-Z]\w*)`, number],
};
grammars.sass = grammars.assembly;
const expressions = Object.fromEntries(
  Object.entries(grammars).map(([language, parts]) => [language, new RegExp(parts.join('|'), 'g')]));

/** Pairs [class, text] whose texts make up the line; the class is '' for plain text. */
function highlight(line, language) {
  const expression = expressions[language];
  if (!expression) return [['', line]];
  const tokens = [];
  let end = 0;
  for (const match of line.matchAll(expression)) {
    if (!match[0]) continue;
    if (match.index > end) tokens.push(['', line.slice(end, match.index)]);
    tokens.push([Object.keys(match.groups).find(group => match.groups[group] !== undefined), match[0]]);
    end = match.index + match[0].length;
  }
  if (end < line.length) tokens.push(['', line.slice(end)]);
  return tokens;
}
