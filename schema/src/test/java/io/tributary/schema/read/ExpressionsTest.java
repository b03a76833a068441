package io.tributary.schema.read;

import static io.tributary.schema.Statements.SESSION;
import static io.tributary.schema.Statements.tableOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ExpressionsTest {
    private static final long PIPES_AS_CONCAT = 2;

    private static String canonical(String expression) {
        return canonical(expression, SESSION);
    }

    private static String canonical(String expression, ReadSession session) {
        return tableOf("CREATE TABLE t (id INT, c INT AS (" + expression + "))", session)
                .column("c")
                .flatMap(column -> column.generation())
                .orElseThrow()
                .expression();
    }

    /** Texts of SHOW CREATE TABLE in MySQL 8.0.31. */
    @Test
    void anExpressionIsReadAsTheServerShowsIt() {
        String[][] pairs = {
            {"1+id*2", "(1 + (`id` * 2))"},
            {"(1+2)*3", "((1 + 2) * 3)"},
            {"concat(id,'x')", "concat(`id`,_utf8mb4'x')"},
            {"j->>'$.a'", "json_unquote(json_extract(`j`,_utf8mb4'$.a'))"},
            {"case when id>1 then 2 else 3 end", "(case when (`id` > 1) then 2 else 3 end)"},
            {"if(id is null, 1, 0)", "if((`id` is null),1,0)"},
            {"not id", "(0 = `id`)"},
            {"-id", "-(`id`)"},
            {"id between 1 and 5 and id<>3 or id!=4", "(((`id` between 1 and 5) and (`id` <> 3)) or (`id` <> 4))"},
            {"id in (1,2,3)", "(`id` in (1,2,3))"},
            {"id like 'a%'", "(`id` like _utf8mb4'a%')"},
            {"date_add('2020-01-01', interval 1 day)", "(_utf8mb4'2020-01-01' + interval 1 day)"},
            {"substring(c,1,2)", "substr(`c`,1,2)"},
            {"cast(id as char)", "cast(`id` as char charset utf8mb4)"},
            {"id mod 3", "(`id` % 3)"},
            {"id div 2", "(`id` DIV 2)"},
            {"id xor 1", "((0 <> `id`) xor (0 <> 1))"},
            {"id && 1 || 0", "(((0 <> `id`) and (0 <> 1)) or (0 <> 0))"},
            {"!id", "(0 = `id`)"},
            {"~id", "~(`id`)"},
            {"id is true", "((0 <> `id`) is true)"},
            {"c collate utf8mb4_bin", "(`c` collate utf8mb4_bin)"},
            {"id not like 'x'", "(not((`id` like _utf8mb4'x')))"},
            {"id not between 1 and 2", "(`id` not between 1 and 2)"},
            {"cast(id as signed integer)", "cast(`id` as signed)"},
            {"convert(c using latin1)", "convert(`c` using latin1)"},
            {"date('2020-01-01')", "cast(_utf8mb4'2020-01-01' as date)"},
            {"c = N'x'", "(`c` = _utf8mb4'x')"},
            {"1.50", "1.50"},
            {"current_date", "curdate()"}
        };
        for (String[] pair : pairs) {
            assertEquals(canonical(pair[1]), canonical(pair[0]));
            assertEquals(canonical(pair[0]), canonical(canonical(pair[0])));
        }
    }

    @Test
    void differentExpressionsStayDifferent() {
        assertEquals("`id` - (1 - 2)", canonical("id - (1 - 2)"));
        assertEquals("(`id` - 1) - 2", canonical("id - 1 - 2"));
        assertEquals("'a b'", canonical("'a b'"));
    }

    @Test
    void pipesConcatenateInTheirMode() {
        assertEquals("concat(`id`,'x')", canonical("id || 'x'", SESSION.withSqlMode(PIPES_AS_CONCAT)));
        assertEquals("(0 <> `id`) or (0 <> 1)", canonical("id || 1"));
    }

    @Test
    void unknownExpressionsAreKeptAsWritten() {
        assertEquals("(`a`,1) = row(2,3)", canonical("(`a`,1) = row(2,3)"));
    }
}
